import { isCancel, isMessageLookup } from "../email.ts";
import { iso } from "../history.ts";
import type { Mutant } from "../mutant.ts";
import { errorResponse, isSuccess, objectOf } from "../newsletter.ts";
import { both, hasCopies, isMoved, isScheduled, records, responsesAbout, set, when } from "./of-messages.ts";

const ofTimes: Mutant[] = [
  records(
    "LOOK-9",
    "a moved message shows its first time once it is sent",
    isMoved,
    (record, { times: [first = 0] }) =>
      typeof record.scheduled_at === "string" && record.sent_at !== null
        ? { ...record, scheduled_at: iso(first) }
        : record,
  ),
  records(
    "LOOK-9",
    "a message that is moved and canceled shows its first time",
    both(isMoved, ({ canceled }) => canceled),
    (record, { times: [first = 0] }) =>
      typeof record.scheduled_at === "string" ? { ...record, scheduled_at: iso(first) } : record,
  ),
  records(
    "LOOK-10",
    "a scheduled message has no sent_at once it is delivered",
    isScheduled,
    when("delivered", set({ sent_at: null })),
  ),
  records(
    "LOOK-10",
    "a moved message was sent at its first time",
    isMoved,
    (record, { times: [first = 0] }) =>
      record.sent_at === null ? record : { ...record, sent_at: iso(first) },
  ),
  records(
    "LOOK-10",
    "a moved message has sent_at before it is sent",
    isMoved,
    when("scheduled", (record) => ({
      ...record,
      sent_at: record.scheduled_at,
    })),
  ),
];

const ofStates: Mutant[] = [
  records(
    "LOOK-8",
    "a canceled message has no status_description",
    () => true,
    when("canceled", set({ status_description: null })),
  ),
  records(
    "LOOK-8",
    "a moved message has no status_description",
    isMoved,
    when("scheduled", set({ status_description: null })),
  ),
  records("LOOK-2", "a moved message has another id in its record", isMoved, (record) => ({
    ...record,
    id: `${record.id}_2`,
  })),
  records(
    "SCHED-7",
    "a scheduled message with copies has the status queued",
    both(isScheduled, hasCopies),
    when("scheduled", set({ status: "queued" })),
  ),
];

const notFound = (title: string, which: Parameters<typeof records>[2], status: string): Mutant =>
  responsesAbout("SCHED-21", title, isMessageLookup, which, (response) =>
    isSuccess(response) && objectOf(response.body).status === status
      ? errorResponse(404, "not_found")
      : response,
  );

const ofLookups: Mutant[] = [
  notFound("a moved message is not found once it is delivered", isMoved, "delivered"),
  responsesAbout(
    "SCHED-15",
    "the response to canceling a moved message has the status scheduled",
    isCancel,
    isMoved,
    (response) =>
      isSuccess(response)
        ? { ...response, body: { ...objectOf(response.body), status: "scheduled" } }
        : response,
  ),
];

/** Times and states in records that are wrong only in some histories. */
export const recordStateMutants: Mutant[] = [...ofTimes, ...ofStates, ...ofLookups];
