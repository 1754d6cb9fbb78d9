import { changeRequests, changeResponses, type Mutant, type MutantRequest } from "./mutant.ts";
import {
  acceptsContact,
  changeMemberships,
  fieldsOf,
  isUpsert,
  objectOf,
  rejectsContact,
  without,
} from "./newsletter.ts";

/** Values of custom fields in upserts. */
export const contactFieldsMutants: Mutant[] = [
  acceptsContact("CONT-10", "21 values of custom fields", (body) =>
    Object.keys(fieldsOf(body)).length > 20
      ? { ...body, fields: Object.fromEntries(Object.entries(fieldsOf(body)).slice(0, 20)) }
      : undefined,
  ),
  rejectsContact(
    "CONT-10",
    "20 values of custom fields",
    "fields",
    (body) => Object.keys(fieldsOf(body)).length === 20,
  ),
  changeMemberships("CONT-10", "at most 10 values of custom fields are kept", (membership) => ({
    ...membership,
    fields: Object.fromEntries(Object.entries(fieldsOf(membership)).slice(0, 10)),
  })),
  acceptsContact("CONT-11", "a value for an undefined custom field", (body) => {
    const known = Object.entries(fieldsOf(body)).filter(([key]) => !key.startsWith("contract_"));
    return known.length < Object.keys(fieldsOf(body)).length
      ? { ...body, fields: Object.fromEntries(known) }
      : undefined;
  }),
  {
    requirement: "CONT-11",
    title: "an update with an undefined custom field is rejected, but its name is stored",
    intercept: () => async (request, next) => {
      const response = await next(request);
      const body = objectOf(request.body);
      if (isUpsert(request) && response.status === 422 && "first_name" in body)
        await next({ ...request, body: without(body, "fields") });
      return response;
    },
  },
  changeResponses("CONT-11", "the error for a custom field names no property", (response, request) => {
    const { error } = objectOf(response.body);
    const applies = isUpsert(request) && response.status === 422 && "fields" in objectOf(request.body);
    return applies ? { ...response, body: { error: without(objectOf(error), "fields") } } : undefined;
  }),
  ...misfit("number", (value) => value === "a dozen", "12"),
  ...misfit("date", (value) => value === "next Tuesday", "2026-12-24"),
  ...misfit("a date as a number", (value) => value === 20261224, "2026-12-24"),
  ...misfit("url", (value) => value === "no web address", "https://example.com/"),
  {
    requirement: "CONT-13",
    title: "null does not clear a custom field",
    intercept: () => (request, next) => {
      const body = objectOf(request.body);
      const kept = Object.entries(fieldsOf(body)).filter(([, value]) => value !== null);
      const applies = isUpsert(request) && "fields" in body && typeof body.fields === "object";
      return next(applies ? { ...request, body: { ...body, fields: Object.fromEntries(kept) } } : request);
    },
  },
  changeRequests("CONT-13", "null becomes an empty text in a custom field", (request) =>
    withFields(request, (value) => (value === null ? "" : value)),
  ),
  rejectsContact("CONT-13", "null as the value of a custom field", "fields", (body) =>
    Object.values(fieldsOf(body)).includes(null),
  ),
  changeRequests("CONT-13", "null for one custom field clears all that are not sent", (request) => {
    const body = objectOf(request.body);
    if (!isUpsert(request) || !Object.values(fieldsOf(body)).includes(null)) return undefined;
    const others = { city: null, orders: null, birthday: null, website: null };
    return { ...request, body: { ...body, fields: { ...others, ...fieldsOf(body) } } };
  }),
];

function misfit(type: string, applies: (value: unknown) => boolean, right: string): Mutant[] {
  return [
    changeRequests(
      "CONT-12",
      `accepts a value that is not a ${type} in a custom field of that type`,
      (request) => withFields(request, (value) => (applies(value) ? right : value)),
    ),
  ];
}

/** An upsert with changed values of custom fields. */
function withFields(request: MutantRequest, change: (value: unknown) => unknown): MutantRequest | undefined {
  const body = objectOf(request.body);
  if (!isUpsert(request) || typeof body.fields !== "object" || body.fields === null) return undefined;
  const fields = Object.entries(fieldsOf(body)).map(([key, value]) => {
    return [key, change(value)] as const;
  });
  return { ...request, body: { ...body, fields: Object.fromEntries(fields) } };
}
