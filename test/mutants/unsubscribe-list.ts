import { changeRequests, type Mutant } from "./mutant.ts";
import {
  acceptsContact,
  changeContacts,
  emailOf,
  isSuccess,
  isUnsubscribe,
  type Json,
  membershipsOf,
  objectOf,
  rejectsContact,
  without,
} from "./newsletter.ts";
import { back, changed, isFromOne } from "./unsubscribe-support.ts";

/** What is wrong with leaving one list. */
export const leavingOneMutants: Mutant[] = [
  changeContacts(
    "UNSUB-4",
    "leaving one list is answered with a membership that goes on",
    changed(back),
    isFromOne,
  ),
  changeContacts(
    "UNSUB-4",
    "leaving a list before confirming leaves the membership pending",
    changed((one) =>
      one.status === "unsubscribed" && one.subscribed_at === null ? { ...one, status: "pending" } : one,
    ),
    isFromOne,
  ),
  changeContacts(
    "UNSUB-4",
    "leaving a list after a complaint leaves the membership as it was",
    changed((one, _, request) =>
      emailOf(request).startsWith("complained@") ? { ...one, status: "complained" } : one,
    ),
    isFromOne,
  ),
  {
    requirement: "UNSUB-4",
    title: "leaving one list does nothing but response",
    intercept: () => async (request, next) => {
      if (!isFromOne(request)) return next(request);
      const { list_id } = objectOf(request.body);
      const path = request.path.replace(/\/unsubscribe$/, "");
      const response = await next({ ...request, method: "GET", path, body: undefined });
      const end = changed((one) =>
        one.list_id === list_id
          ? { ...one, status: "unsubscribed", unsubscribed_at: "2026-01-05T08:00:00Z" }
          : one,
      );
      return isSuccess(response) ? { ...response, body: end(objectOf(response.body), request) } : response;
    },
  },
  changeRequests("UNSUB-5", "leaving one list leaves all", (request) =>
    isFromOne(request) ? { ...request, body: without(objectOf(request.body), "list_id") } : undefined,
  ),
  changeContacts(
    "UNSUB-5",
    "leaving one list is answered with the other as unsubscribed",
    changed((one) => ({ ...one, status: "unsubscribed" })),
    isFromOne,
  ),
  changeContacts(
    "UNSUB-5",
    "leaving one list sets unsubscribed_at on the other",
    (record, request) => {
      const at = membershipsOf({ body: record }).find(({ unsubscribed_at }) => unsubscribed_at !== null);
      return changed((one) => ({ ...one, unsubscribed_at: at?.unsubscribed_at ?? null }))(record, request);
    },
    isFromOne,
  ),
  changeContacts(
    "UNSUB-5",
    "leaving one list takes the other out of the record",
    (record) => ({
      ...record,
      lists: membershipsOf({ body: record }).filter(({ status }) => status === "unsubscribed"),
    }),
    isFromOne,
  ),
  rejectsContact(
    "UNSUB-6",
    "leaving without a list_id",
    "list_id",
    (body) => !("list_id" in body),
    isUnsubscribe,
  ),
  acceptsContact(
    "UNSUB-6",
    "a list_id written as a text",
    wholeNumber((value) => typeof value === "string"),
    isUnsubscribe,
  ),
  acceptsContact(
    "UNSUB-6",
    "a list_id that is a fraction",
    wholeNumber((value) => value === 1.5),
    isUnsubscribe,
  ),
  rejectsContact(
    "UNSUB-6",
    "a list_id",
    "list_id",
    ({ list_id }) => Number.isInteger(list_id),
    isUnsubscribe,
  ),
  rejectsContact("UNSUB-7", "a reason", "reason", ({ reason }) => typeof reason === "string", isUnsubscribe),
  rejectsContact(
    "UNSUB-7",
    "leaving without a reason",
    "reason",
    (body) => !("reason" in body),
    isUnsubscribe,
  ),
  acceptsContact(
    "UNSUB-7",
    "a reason that is a number",
    (body) => (typeof body.reason === "number" ? { ...body, reason: String(body.reason) } : undefined),
    isUnsubscribe,
  ),
];

function wholeNumber(applies: (value: unknown) => boolean): (body: Json) => Json | undefined {
  return (body) => (applies(body.list_id) ? { ...body, list_id: 2 } : undefined);
}
