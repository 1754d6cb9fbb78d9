import { changeRequests, type Mutant, type MutantRequest } from "./mutant.ts";
import {
  changeContacts,
  changeMemberships,
  changeUpserts,
  emailOf,
  fieldsOf,
  isContactLookup,
  isUnsubscribe,
  isUpsert,
  listOf,
  membershipsOf,
  objectOf,
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
  changeRequests("LIST-6", "zero is lost in custom fields", (request) => {
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
  changeRequests("GEN-13", "a plus sign in a path is decoded as a space", (request) =>
    isContactLookup(request) ? { ...request, path: request.path.replaceAll("%2B", "%20") } : undefined,
  ),
  changeRequests("GEN-13", "a plus sign in the path of an unsubscribe is decoded as a space", (request) =>
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
