import type { Mutant } from "../mutant.ts";
import { listOf, objectOf } from "../newsletter.ts";
import {
  hasCopies,
  inBatchFrom,
  isMoved,
  isMovedTwice,
  isScheduled,
  records,
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

/** Records of messages that are wrong only in some histories. */
export const recordMutants: Mutant[] = [...ofTags, ...ofAddresses, ...ofSubjects];
