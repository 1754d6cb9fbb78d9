import type { Mutant } from "../mutant.ts";
import { listOf } from "../newsletter.ts";
import { inBatchFrom, isMoved, isScheduled, records, set } from "./of-messages.ts";

const firstOnly = (value: unknown): unknown[] => listOf(value).slice(0, 1);

const ofTags: Mutant[] = [
  records("LOOK-6", "the tags of a message are lost when it is moved", isMoved, set({ tags: {} })),
  records("LOOK-6", "the tags of a scheduled message are lost once it is sent", isScheduled, (record) =>
    record.sent_at === null ? record : { ...record, tags: {} },
  ),
];

const ofAddresses: Mutant[] = [
  records(
    "LOOK-4",
    "a scheduled message to several recipients shows the first once it is sent",
    isScheduled,
    (record) => (record.sent_at === null ? record : { ...record, to: firstOnly(record.to) }),
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
  records("LOOK-5", "a canceled message has no subject", ({ canceled }) => canceled, set({ subject: "" })),
];

/** Records of messages that are wrong only in some histories. */
export const recordMutants: Mutant[] = [...ofTags, ...ofAddresses, ...ofSubjects];
