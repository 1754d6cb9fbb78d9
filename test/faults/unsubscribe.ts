import { type Fault, inAnswers, instead } from "./fault.ts";
import { afterLeaving, back, changed, changedOnly, isFromOne } from "./leaving.ts";
import {
  addressIn,
  inRecords,
  isGood,
  isLeaving,
  isLookUp,
  membershipsIn,
  objectOf,
  refusal,
  takes,
  without,
} from "./newsletter.ts";

/** What is wrong with what leaving is answered with, and with what comes after it. */
export const unsubscribeFaults: Fault[] = [
  inRecords("UNSUB-9", "leaving is answered with nothing but ok", () => ({ ok: true }), isLeaving),
  inRecords(
    "UNSUB-9",
    "leaving one list is answered with its membership",
    (record) => membershipsIn({ body: record })[0],
    isFromOne,
  ),
  inRecords(
    "UNSUB-9",
    "leaving is answered with the record in data",
    (record) => ({ data: record }),
    isLeaving,
  ),
  inAnswers("UNSUB-9", "leaving is answered 204 without a body", (answer, request) => {
    if (!isLeaving(request) || !isGood(answer)) return undefined;
    const { "content-type": _, ...headers } = answer.headers;
    return { status: 204, headers, body: undefined };
  }),
  afterLeaving("UNSUB-10", "a post undoes leaving everything", (record, posts) =>
    posts === 0 ? record : { ...changedOnly(back)(record), marketing_blocked: false },
  ),
  afterLeaving(
    "UNSUB-10",
    "a post to a further list puts a contact that left everything on it",
    (record, posts) =>
      posts < 2 ? record : changedOnly((one) => (one.list_id === 3 ? back(one) : one))(record),
  ),
  {
    breaks: "UNSUB-10",
    title: "leaving a second list undoes leaving the first",
    between: () => {
      const last = new Map<string, unknown>();
      return async (request, next) => {
        const answer = await next(request);
        if (isFromOne(request)) last.set(addressIn(request), objectOf(request.body).list_id);
        const list = last.get(addressIn(request));
        if (!isLookUp(request) || list === undefined || !isGood(answer)) return answer;
        return {
          ...answer,
          body: changed((one) => (one.list_id === list ? one : back(one)))(objectOf(answer.body), request),
        };
      };
    },
  },
  takes(
    "UNSUB-12",
    "a list of another account",
    (body) => (body.list_id === 11 ? without(body, "list_id") : undefined),
    isLeaving,
  ),
  takes(
    "UNSUB-12",
    "a list that is not there",
    (body) => (Number(body.list_id) > 1000 ? without(body, "list_id") : undefined),
    isLeaving,
  ),
  instead("UNSUB-12", "a list of another account is answered 422", (request) =>
    isFromOne(request) && objectOf(request.body).list_id === 11
      ? refusal(422, "invalid_request", "list_id")
      : undefined,
  ),
  {
    breaks: "UNSUB-12",
    title: "leaving a list of another account is answered 404, and yet leaves everything",
    between: () => async (request, next) => {
      const answer = await next(request);
      if (isFromOne(request) && objectOf(request.body).list_id === 11) await next({ ...request, body: {} });
      return answer;
    },
  },
];
