import { type Fault, inRequests } from "./fault.ts";
import { back, changed, isFromOne } from "./leaving.ts";
import {
  addressIn,
  inRecords,
  isGood,
  isLeaving,
  type Json,
  membershipsIn,
  objectOf,
  refuses,
  takes,
  without,
} from "./newsletter.ts";

/** What is wrong with leaving one list. */
export const leavingOneFaults: Fault[] = [
  inRecords(
    "UNSUB-4",
    "leaving one list is answered with a membership that goes on",
    changed(back),
    isFromOne,
  ),
  inRecords(
    "UNSUB-4",
    "leaving a list before confirming leaves the membership pending",
    changed((one) =>
      one.status === "unsubscribed" && one.subscribed_at === null ? { ...one, status: "pending" } : one,
    ),
    isFromOne,
  ),
  inRecords(
    "UNSUB-4",
    "leaving a list after a complaint leaves the membership as it was",
    changed((one, _, request) =>
      addressIn(request).startsWith("complained@") ? { ...one, status: "complained" } : one,
    ),
    isFromOne,
  ),
  {
    breaks: "UNSUB-4",
    title: "leaving one list does nothing but answer",
    between: () => async (request, next) => {
      if (!isFromOne(request)) return next(request);
      const { list_id } = objectOf(request.body);
      const path = request.path.replace(/\/unsubscribe$/, "");
      const answer = await next({ ...request, method: "GET", path, body: undefined });
      const end = changed((one) =>
        one.list_id === list_id
          ? { ...one, status: "unsubscribed", unsubscribed_at: "2026-01-05T08:00:00Z" }
          : one,
      );
      return isGood(answer) ? { ...answer, body: end(objectOf(answer.body), request) } : answer;
    },
  },
  inRequests("UNSUB-5", "leaving one list leaves all", (request) =>
    isFromOne(request) ? { ...request, body: without(objectOf(request.body), "list_id") } : undefined,
  ),
  inRecords(
    "UNSUB-5",
    "leaving one list is answered with the other as unsubscribed",
    changed((one) => ({ ...one, status: "unsubscribed" })),
    isFromOne,
  ),
  inRecords(
    "UNSUB-5",
    "leaving one list sets unsubscribed_at on the other",
    (record, request) => {
      const at = membershipsIn({ body: record }).find(({ unsubscribed_at }) => unsubscribed_at !== null);
      return changed((one) => ({ ...one, unsubscribed_at: at?.unsubscribed_at ?? null }))(record, request);
    },
    isFromOne,
  ),
  inRecords(
    "UNSUB-5",
    "leaving one list takes the other out of the record",
    (record) => ({
      ...record,
      lists: membershipsIn({ body: record }).filter(({ status }) => status === "unsubscribed"),
    }),
    isFromOne,
  ),
  refuses("UNSUB-6", "leaving without a list_id", "list_id", (body) => !("list_id" in body), isLeaving),
  takes(
    "UNSUB-6",
    "a list_id written as a text",
    wholeNumber((value) => typeof value === "string"),
    isLeaving,
  ),
  takes(
    "UNSUB-6",
    "a list_id that is a fraction",
    wholeNumber((value) => value === 1.5),
    isLeaving,
  ),
  refuses("UNSUB-6", "a list_id", "list_id", ({ list_id }) => Number.isInteger(list_id), isLeaving),
  refuses("UNSUB-7", "a reason", "reason", ({ reason }) => typeof reason === "string", isLeaving),
  refuses("UNSUB-7", "leaving without a reason", "reason", (body) => !("reason" in body), isLeaving),
  takes(
    "UNSUB-7",
    "a reason that is a number",
    (body) => (typeof body.reason === "number" ? { ...body, reason: String(body.reason) } : undefined),
    isLeaving,
  ),
];

function wholeNumber(isMeant: (value: unknown) => boolean): (body: Json) => Json | undefined {
  return (body) => (isMeant(body.list_id) ? { ...body, list_id: 2 } : undefined);
}
