import { type Fault, type FaultAnswer, type FaultRequest, inAnswers, inRequests, instead } from "./fault.ts";
import {
  addressIn,
  inRecords,
  isLeaving,
  isLookUp,
  isPost,
  type Json,
  membershipsIn,
  objectOf,
  refusal,
  without,
} from "./newsletter.ts";

/** What looking a contact up shows. */
export const contactRecordsFaults: Fault[] = [
  inRecords("CONT-23", "a contact record has no email", (record) => without(record, "email"), isLookUp),
  inRecords(
    "CONT-23",
    "a contact record has an address in place of an email",
    ({ email, ...record }) => ({ ...record, address: email }),
    isLookUp,
  ),
  inRecords("CONT-23", "a contact record stands in data", (record) => ({ data: record }), isLookUp),
  inRequests("CONT-23", "a plus sign in a path is read as a space", (request) =>
    isLookUp(request) ? { ...request, path: request.path.replaceAll("%2B", "%20") } : undefined,
  ),
  inRequests("CONT-23", "the address in a path is not decoded", (request) =>
    isLookUp(request) ? { ...request, path: request.path.replaceAll("%", "%25") } : undefined,
  ),
  inRecords("CONT-24", "marketing_blocked is missing", (record) => without(record, "marketing_blocked")),
  inRecords("CONT-24", "marketing_blocked is a text", (record) => ({
    ...record,
    marketing_blocked: String(record.marketing_blocked),
  })),
  inRecords("CONT-24", "marketing_blocked is always true", (record) => ({
    ...record,
    marketing_blocked: true,
  })),
  inRecords("CONT-24", "marketing_blocked is true after leaving one of two lists", (record) => ({
    ...record,
    marketing_blocked: membershipsIn({ body: record }).some(({ status }) => status === "unsubscribed"),
  })),
  inRecords("CONT-25", "a contact record has the first list only", (record) => ({
    ...record,
    lists: membershipsIn({ body: record }).slice(0, 1),
  })),
  inRecords("CONT-25", "a contact record has each list twice", (record) => ({
    ...record,
    lists: membershipsIn({ body: record }).flatMap((one) => [one, one]),
  })),
  inRecords("CONT-25", "a contact record leaves out the lists that the contact left", (record) => ({
    ...record,
    lists: membershipsIn({ body: record }).filter(({ status }) => status !== "unsubscribed"),
  })),
  inRecords("CONT-25", "a contact record has its lists by their ids", (record) => ({
    ...record,
    lists: Object.fromEntries(membershipsIn({ body: record }).map((one) => [String(one.list_id), one])),
  })),
  inAnswers("CONT-26", "an address that was never seen has an empty record", (answer, request) =>
    isLookUp(request) && answer.status === 404 ? found(answer, empty(request)) : undefined,
  ),
  inAnswers("CONT-26", "unsubscribing an address that was never seen succeeds", (answer, request) =>
    isLeaving(request) && answer.status === 404 && !("list_id" in objectOf(request.body))
      ? found(answer, { ...empty(request), marketing_blocked: true })
      : undefined,
  ),
  instead("CONT-26", "an address that was never seen is answered 422", (request, next) =>
    isLookUp(request)
      ? next(request).then((answer) =>
          answer.status === 404 ? refusal(422, "invalid_request", "email") : answer,
        )
      : undefined,
  ),
  {
    breaks: "CONT-26",
    title: "a contact is found with the key of another account",
    between:
      ({ bearer }) =>
      (request, next) => {
        const isOther = isLookUp(request) && request.headers.authorization === bearer("otherAccount");
        return next(
          isOther ? { ...request, headers: { ...request.headers, authorization: bearer("full") } } : request,
        );
      },
  },
  {
    breaks: "CONT-26",
    title: "a contact is unsubscribed with the key of another account",
    between:
      ({ bearer }) =>
      (request, next) => {
        const isOther = isLeaving(request) && request.headers.authorization === bearer("otherAccount");
        const headers = isOther ? { ...request.headers, authorization: bearer("full") } : request.headers;
        return next({ ...request, headers });
      },
  },
  {
    breaks: "CONT-26",
    title: "an address is kept although the post was refused",
    between: () => async (request, next) => {
      const answer = await next(request);
      if (isPost(request) && answer.status === 404)
        await next({ ...request, body: { email: addressIn(request), list_id: 2 } });
      return answer;
    },
  },
];

const empty = (request: FaultRequest): Json => ({
  email: addressIn(request),
  marketing_blocked: false,
  lists: [],
});

/** An answer of success in place of a refusal, which says nothing of the request limit. */
const found = ({ headers, ...answer }: FaultAnswer, body: Json): FaultAnswer => ({
  ...answer,
  status: 200,
  headers: { ...headers, "x-ratelimit-limit": "100000", "x-ratelimit-remaining": "99000" },
  body,
});
