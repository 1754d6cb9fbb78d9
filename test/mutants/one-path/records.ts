import { isCancel, isMessageLookup } from "../email.ts";
import type { Mutant } from "../mutant.ts";
import { errorResponse, isSuccess, listOf, objectOf } from "../newsletter.ts";
import { iso } from "./history.ts";
import {
  both,
  hasCopies,
  inBatchFrom,
  isMoved,
  isMovedTwice,
  isScheduled,
  records,
  responsesAbout,
  set,
  when,
} from "./of-messages.ts";

const isThird = inBatchFrom(2);
const isLast = (message: { kind: string; position: number; size: number }): boolean =>
  message.kind === "batch" && message.size > 1 && message.position === message.size - 1;
const isBatched = inBatchFrom(0);
const firstOnly = (value: unknown): unknown[] => listOf(value).slice(0, 1);

const ofTags: Mutant[] = [
  records("LOOK-6", "the tags of the third message of a batch are lost", isThird, set({ tags: {} })),
  records("LOOK-6", "the tags of a message are lost when it is moved", isMoved, set({ tags: {} })),
  records(
    "LOOK-6",
    "the tags of a message are lost when it is canceled",
    ({ canceled }) => canceled,
    set({ tags: {} }),
  ),
  records("LOOK-6", "the tags of a message with copies are lost", hasCopies, set({ tags: {} })),
  records(
    "LOOK-6",
    "the tags of a message are lost when it bounces",
    () => true,
    when("bounced", set({ tags: {} })),
  ),
  records("LOOK-6", "the tags of a scheduled message are lost once it is sent", isScheduled, (record) =>
    record.sent_at === null ? record : { ...record, tags: {} },
  ),
  records("LOOK-6", "the last of several tags of a message in a batch is lost", isBatched, (record) => ({
    ...record,
    tags: Object.fromEntries(
      Object.entries(objectOf(record.tags)).filter(
        (_, index) => index === 0 || index < Object.keys(objectOf(record.tags)).length - 1,
      ),
    ),
  })),
];

const ofAddresses: Mutant[] = [
  records(
    "LOOK-4",
    "a scheduled message to several recipients shows the first once it is sent",
    isScheduled,
    (record) => (record.sent_at === null ? record : { ...record, to: firstOnly(record.to) }),
  ),
  records("LOOK-4", "a moved message to several recipients shows the first", isMoved, (record) => ({
    ...record,
    to: firstOnly(record.to),
  })),
  records(
    "LOOK-4",
    "a later message of a batch to several recipients shows the first",
    inBatchFrom(1),
    (record) => ({
      ...record,
      to: firstOnly(record.to),
    }),
  ),
  records(
    "LOOK-3",
    "a scheduled message has another sender once it is moved",
    isMoved,
    set({ from: "moved@bakery.example" }),
  ),
  records(
    "LOOK-3",
    "the second message of a batch has another sender",
    inBatchFrom(1),
    set({ from: "batch@bakery.example" }),
  ),
];

const ofSubjects: Mutant[] = [
  records("LOOK-5", "the last message of a batch has an empty subject", isLast, set({ subject: "" })),
  records("LOOK-5", "a canceled message has no subject", ({ canceled }) => canceled, set({ subject: "" })),
  records("LOOK-5", "the subject of a message with copies names them", hasCopies, (record) => ({
    ...record,
    subject: `${record.subject} (with copies)`,
  })),
  records("LOOK-5", "a message that is moved twice has a subject that says so", isMovedTwice, (record) => ({
    ...record,
    subject: `Moved: ${record.subject}`,
  })),
];

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
    "LOOK-9",
    "an immediate message with copies has a scheduled_at",
    both(({ kind }) => kind === "send", hasCopies),
    (record) => ({
      ...record,
      scheduled_at: record.sent_at,
    }),
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
    "a message that bounced has no sent_at in a batch",
    isBatched,
    when("bounced", set({ sent_at: null })),
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
    "a message marked as spam has no status_description",
    () => true,
    when("complained", set({ status_description: null })),
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
    "LOOK-2",
    "a later message of a batch has the id of its position",
    inBatchFrom(1),
    (record, { position }) => ({
      ...record,
      id: `sched_${position}`,
    }),
  ),
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
  notFound("a scheduled message is not found once it bounces", isScheduled, "bounced"),
  notFound(
    "a scheduled message with copies is not found once it is delivered",
    both(isScheduled, hasCopies),
    "delivered",
  ),
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

/** Records of messages that are wrong only in some histories. */
export const recordMutants: Mutant[] = [
  ...ofTags,
  ...ofAddresses,
  ...ofSubjects,
  ...ofTimes,
  ...ofStates,
  ...ofLookups,
];
