import {
  changeRequests,
  changeResponses,
  type Mutant,
  type MutantRequest,
  type MutantResponse,
  respondInstead,
} from "./mutant.ts";
import {
  changeContacts,
  emailOf,
  errorResponse,
  isContactLookup,
  isUnsubscribe,
  isUpsert,
  type Json,
  membershipsOf,
  objectOf,
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
  changeContacts(
    "CONT-23",
    "a contact record has address instead of email",
    ({ email, ...record }) => ({ ...record, address: email }),
    isContactLookup,
  ),
  changeContacts("CONT-23", "a contact record is in data", (record) => ({ data: record }), isContactLookup),
  changeRequests("GEN-13", "a plus sign in a path is decoded as a space", (request) =>
    isContactLookup(request) ? { ...request, path: request.path.replaceAll("%2B", "%20") } : undefined,
  ),
  changeRequests("GEN-13", "the email address in a path is not decoded", (request) =>
    isContactLookup(request) ? { ...request, path: request.path.replaceAll("%", "%25") } : undefined,
  ),
  changeRequests("GEN-13", "a plus sign in the path of an unsubscribe is decoded as a space", (request) =>
    isUnsubscribe(request) ? { ...request, path: request.path.replaceAll("%2B", "%20") } : undefined,
  ),
  changeContacts("CONT-24", "marketing_blocked is missing", (record) => without(record, "marketing_blocked")),
  changeContacts("CONT-24", "marketing_blocked is a text", (record) => ({
    ...record,
    marketing_blocked: String(record.marketing_blocked),
  })),
  changeContacts("CONT-24", "marketing_blocked is always true", (record) => ({
    ...record,
    marketing_blocked: true,
  })),
  changeContacts(
    "CONT-24",
    "marketing_blocked is true after unsubscribing from one of two lists",
    (record) => ({
      ...record,
      marketing_blocked: membershipsOf({ body: record }).some(({ status }) => status === "unsubscribed"),
    }),
  ),
  changeContacts("CONT-25", "a contact record has only the first list", (record) => ({
    ...record,
    lists: membershipsOf({ body: record }).slice(0, 1),
  })),
  changeContacts("CONT-25", "a contact record has each list twice", (record) => ({
    ...record,
    lists: membershipsOf({ body: record }).flatMap((one) => [one, one]),
  })),
  changeContacts("CONT-25", "a contact record omits unsubscribed lists", (record) => ({
    ...record,
    lists: membershipsOf({ body: record }).filter(({ status }) => status !== "unsubscribed"),
  })),
  changeContacts("CONT-25", "a contact record has its lists as an object", (record) => ({
    ...record,
    lists: Object.fromEntries(membershipsOf({ body: record }).map((one) => [String(one.list_id), one])),
  })),
  changeResponses("CONT-26", "an unknown email address returns an empty record", (response, request) =>
    isContactLookup(request) && response.status === 404 ? found(response, empty(request)) : undefined,
  ),
  changeResponses("CONT-26", "unsubscribing an unknown email address succeeds", (response, request) =>
    isUnsubscribe(request) && response.status === 404 && !("list_id" in objectOf(request.body))
      ? found(response, { ...empty(request), marketing_blocked: true })
      : undefined,
  ),
  respondInstead("CONT-26", "an unknown email address returns 422", (request, next) =>
    isContactLookup(request)
      ? next(request).then((response) =>
          response.status === 404 ? errorResponse(422, "invalid_request", "email") : response,
        )
      : undefined,
  ),
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

const empty = (request: MutantRequest): Json => ({
  email: emailOf(request),
  marketing_blocked: false,
  lists: [],
});

/** A success instead of an error, without rate limit headers. */
const found = ({ headers, ...response }: MutantResponse, body: Json): MutantResponse => ({
  ...response,
  status: 200,
  headers: { ...headers, "x-ratelimit-limit": "100000", "x-ratelimit-remaining": "99000" },
  body,
});
