import { changeRequests, type Mutant } from "./mutant.ts";
import {
  acceptsContact,
  changeContacts,
  emailOf,
  isUnsubscribe,
  type Json,
  membershipsOf,
  objectOf,
  rejectsContact,
  without,
} from "./newsletter.ts";
import { changed, isFromOne } from "./unsubscribe-support.ts";

/** Unsubscribing from one list. */
export const leavingOneMutants: Mutant[] = [
  changeContacts(
    "UNSUB-4",
    "unsubscribing after a complaint keeps the membership complained",
    changed((one, _, request) =>
      emailOf(request).startsWith("complained@") ? { ...one, status: "complained" } : one,
    ),
    isFromOne,
  ),
  changeRequests("UNSUB-5", "unsubscribing from one list unsubscribes from all", (request) =>
    isFromOne(request) ? { ...request, body: without(objectOf(request.body), "list_id") } : undefined,
  ),
  changeContacts(
    "UNSUB-5",
    "unsubscribing from one list sets unsubscribed_at of the other",
    (record, request) => {
      const at = membershipsOf({ body: record }).find(({ unsubscribed_at }) => unsubscribed_at !== null);
      return changed((one) => ({ ...one, unsubscribed_at: at?.unsubscribed_at ?? null }))(record, request);
    },
    isFromOne,
  ),
  rejectsContact(
    "UNSUB-6",
    "an unsubscribe without list_id",
    "list_id",
    (body) => !("list_id" in body),
    isUnsubscribe,
  ),
  acceptsContact(
    "UNSUB-6",
    "a list_id as text",
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
    "an unsubscribe without a reason",
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
