import { changeRequests, type Mutant, type MutantRequest } from "./mutant.ts";
import { acceptsContact, changeMemberships, fieldsOf, isUpsert, objectOf } from "./newsletter.ts";

/** Values of custom fields in upserts. */
export const contactFieldsMutants: Mutant[] = [
  acceptsContact("CONT-10", "21 values of custom fields", (body) =>
    Object.keys(fieldsOf(body)).length > 20
      ? { ...body, fields: Object.fromEntries(Object.entries(fieldsOf(body)).slice(0, 20)) }
      : undefined,
  ),
  changeMemberships("CONT-10", "at most 10 values of custom fields are kept", (membership) => ({
    ...membership,
    fields: Object.fromEntries(Object.entries(fieldsOf(membership)).slice(0, 10)),
  })),
  ...misfit("number", (value) => value === "a dozen", "12"),
  ...misfit("a date as a number", (value) => value === 20261224, "2026-12-24"),
  ...misfit("url", (value) => value === "no web address", "https://example.com/"),
  changeRequests("CONT-13", "null becomes an empty text in a custom field", (request) =>
    withFields(request, (value) => (value === null ? "" : value)),
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
