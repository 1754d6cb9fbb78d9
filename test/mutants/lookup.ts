import { accepted, changeRecords, isMessageLookup } from "./email.ts";
import { iso } from "./history.ts";
import { changeResponses, type Mutant, type RequirementId } from "./mutant.ts";
import type { Json } from "./newsletter.ts";
import { both, isMoved, records, when } from "./past.ts";

export const ofShape: Mutant[] = [
  changeRecords("LOOK-1", "the record is in data", (record) => ({ data: record })),
  changeRecords("LOOK-1", "the record is in an array", (record) => [record]),
];

export const ofValues: Mutant[] = [
  changeRecords("LOOK-2", "the record has the id without its prefix", (record) => ({
    ...record,
    id: String(record.id).replace(/^sched_/, ""),
  })),
  changeRecords("LOOK-7", "the status is capitalized", (record) => ({
    ...record,
    status: String(record.status).replace(/^./, (letter) => letter.toUpperCase()),
  })),
  changeRecords("LOOK-9", "scheduled_at of an immediate send is the time it was sent", (record) => ({
    ...record,
    scheduled_at: record.scheduled_at ?? record.sent_at,
  })),
  changeRecords("LOOK-10", "sent_at of a scheduled message is the time it will be sent", (record) => ({
    ...record,
    sent_at: record.sent_at ?? record.scheduled_at,
  })),
];

export const ofFinding: Mutant[] = [
  changeResponses("LOOK-23", "a nonexistent id returns an empty success", (response, request) =>
    isMessageLookup(request) && response.status === 404 ? accepted(response, 200, {}) : undefined,
  ),
];
const localPartOf = ({ to }: Json): string => String([to].flat()[0]).split("@")[0] ?? "";

/** Sets a property in the records of messages in a status. */
const inState = (
  requirement: RequirementId,
  title: string,
  property: string,
  value: unknown,
  applies: (record: Json) => boolean,
): Mutant =>
  changeRecords(requirement, title, (record) =>
    applies(record) ? { ...record, [property]: value } : record,
  );

export const ofMessages: Mutant[] = [
  inState(
    "LOOK-14",
    "a message on the block list bounces without a bounce",
    "bounce",
    null,
    (record) => localPartOf(record) === "suppressionlist",
  ),
];

export const ofTimes: Mutant[] = [
  records(
    "LOOK-9",
    "a message that is moved and canceled shows its first time",
    both(isMoved, ({ canceled }) => canceled),
    (record, { times: [first = 0] }) =>
      typeof record.scheduled_at === "string" ? { ...record, scheduled_at: iso(first) } : record,
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

export const ofStates: Mutant[] = [
  records("LOOK-2", "a moved message has another id in its record", isMoved, (record) => ({
    ...record,
    id: `${record.id}_2`,
  })),
];
