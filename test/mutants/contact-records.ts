import { changeRequests, type Mutant } from "./mutant.ts";
import {
  changeContacts,
  emailOf,
  isContactLookup,
  isUnsubscribe,
  isUpsert,
  membershipsOf,
  without,
} from "./newsletter.ts";

/** Contact records. */
export const contactRecordsMutants: Mutant[] = [
  changeContacts(
    "CONT-23",
    "a contact record has no email",
    (record) => without(record, "email"),
    isContactLookup,
  ),
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
    title: "another account's key finds a contact",
    intercept:
      ({ bearer }) =>
      (request, next) => {
        const isOther = isContactLookup(request) && request.headers.authorization === bearer("otherAccount");
        return next(
          isOther ? { ...request, headers: { ...request.headers, authorization: bearer("full") } } : request,
        );
      },
  },
  {
    requirement: "CONT-26",
    title: "another account's key unsubscribes a contact",
    intercept:
      ({ bearer }) =>
      (request, next) => {
        const isOther = isUnsubscribe(request) && request.headers.authorization === bearer("otherAccount");
        const headers = isOther ? { ...request.headers, authorization: bearer("full") } : request.headers;
        return next({ ...request, headers });
      },
  },
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
