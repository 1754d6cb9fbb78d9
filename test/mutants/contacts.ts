import { type Mutant, type MutantRequest, respondInstead, takes } from "./mutant.ts";
import {
  changeContacts,
  changeListing,
  changeMemberships,
  changeUpserts,
  emailOf,
  fieldsOf,
  isContactLookup,
  isUnsubscribe,
  isUpsert,
  type Json,
  listOf,
  membershipsOf,
  objectOf,
  paths,
} from "./newsletter.ts";

/** Valid and invalid upserts. */
export const contactRequestsMutants: Mutant[] = [
  changeContacts("CONT-16", "a contact record has only one tag", (record) => ({
    ...record,
    lists: membershipsOf({ body: record }).map((one) => ({ ...one, tags: listOf(one.tags).slice(0, 1) })),
  })),
];

/** Responses to upserts. */
export const contactsMutants: Mutant[] = [
  changeUpserts("CONT-3", "an upsert returns the contact record", (response, membership) => ({
    ...response,
    body: { email: membership.email, marketing_blocked: false, lists: [membership] },
  })),
];

/** Mutants of contacts that only show in some cases. */
export const contactCasesMutants: Mutant[] = [
  takes("LIST-6", "zero is lost in custom fields", (request) => {
    const body = objectOf(request.body);
    const kept = Object.entries(fieldsOf(body)).filter(([, value]) => value !== 0);
    return isUpsert(request) && body.fields !== undefined
      ? { ...request, body: { ...body, fields: Object.fromEntries(kept) } }
      : undefined;
  }),
];

/** Values of custom fields in upserts. */
export const contactFieldsMutants: Mutant[] = [
  changeMemberships("CONT-10", "at most 10 values of custom fields are kept", (membership) => ({
    ...membership,
    fields: Object.fromEntries(Object.entries(fieldsOf(membership)).slice(0, 10)),
  })),
  takes("CONT-13", "null becomes an empty text in a custom field", (request) =>
    withFields(request, (value) => (value === null ? "" : value)),
  ),
  takes("CONT-13", "null for one custom field clears all that are not sent", (request) => {
    const body = objectOf(request.body);
    if (!isUpsert(request) || !Object.values(fieldsOf(body)).includes(null)) return undefined;
    const others = { city: null, orders: null, birthday: null, website: null };
    return { ...request, body: { ...body, fields: { ...others, ...fieldsOf(body) } } };
  }),
];

/** An upsert with changed values of custom fields. */
function withFields(request: MutantRequest, change: (value: unknown) => unknown): MutantRequest | undefined {
  const body = objectOf(request.body);
  if (!isUpsert(request) || typeof body.fields !== "object" || body.fields === null) return undefined;
  const fields = Object.entries(fieldsOf(body)).map(([key, value]) => {
    return [key, change(value)] as const;
  });
  return { ...request, body: { ...body, fields: Object.fromEntries(fields) } };
}

/** Contact records. */
export const contactRecordsMutants: Mutant[] = [
  changeContacts("CONT-23", "a contact record is in data", (record) => ({ data: record }), isContactLookup),
  takes("GEN-13", "a plus sign in a path is decoded as a space", (request) =>
    isContactLookup(request) ? { ...request, path: request.path.replaceAll("%2B", "%20") } : undefined,
  ),
  takes("GEN-13", "a plus sign in the path of an unsubscribe is decoded as a space", (request) =>
    isUnsubscribe(request) ? { ...request, path: request.path.replaceAll("%2B", "%20") } : undefined,
  ),
  changeContacts(
    "CONT-24",
    "marketing_blocked is true after unsubscribing from one of two lists",
    (record) => ({
      ...record,
      marketing_blocked: membershipsOf({ body: record }).some(({ status }) => status === "unsubscribed"),
    }),
  ),
  changeContacts("CONT-25", "a contact record omits unsubscribed lists", (record) => ({
    ...record,
    lists: membershipsOf({ body: record }).filter(({ status }) => status !== "unsubscribed"),
  })),
  {
    requirement: "CONT-26",
    title: "a rejected contact is stored",
    intercept: () => async (request, next) => {
      const response = await next(request);
      if (isUpsert(request) && response.status === 404)
        await next({ ...request, body: { email: emailOf(request), list_id: 2 } });
      return response;
    },
  },
];

const fieldsIn = (body: unknown): Json => objectOf(objectOf(body).fields);

/** Lists. */
export const ofLists: Mutant[] = [
  changeListing("LIST-1", "the last list is missing", "lists", (lists) => ({ lists: lists.slice(0, -1) })),
  changeListing("LIST-1", "the first list is repeated", "lists", (lists) => ({
    lists: [...lists, ...lists.slice(0, 1)],
  })),
  changeListing("LIST-1", "the lists include one of another account", "lists", (lists) => ({
    lists: [...lists, { id: 11, name: "Flowers of the month", double_opt_in: false }],
  })),
];

/** Custom fields. */
export const ofFields: Mutant[] = [
  changeListing("LIST-5", "the custom fields are the whole body", "fields", (fields) => fields),
  changeListing("LIST-5", "the custom fields are in data", "fields", (fields) => ({ data: fields })),
  {
    requirement: "LIST-11",
    title: "a rejected value for an undefined custom field defines it",
    intercept: () => {
      const defined: Json[] = [];
      return async (request, next) => {
        const response = await next(request);
        if (isUpsert(request) && response.status === 422)
          for (const key of Object.keys(fieldsIn(request.body)))
            if (key.startsWith("contract_")) defined.push({ key, label: key, type: "text", fallback: null });
        const isReading =
          request.method === "GET" && request.path === paths.fields && response.status === 200;
        if (!isReading) return response;
        const { fields } = objectOf(response.body);
        return { ...response, body: { fields: [...(fields as Json[]), ...defined] } };
      };
    },
  },
  respondInstead("LIST-11", "POST on the custom fields returns 201", (request, next) =>
    request.method === "POST" && request.path === paths.fields
      ? next({ ...request, method: "GET", body: undefined }).then((response) => ({
          ...response,
          status: 201,
          body: request.body,
        }))
      : undefined,
  ),
];
