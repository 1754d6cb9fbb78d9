import { changeRecords, idOf, isMessageLookup, timeOf } from "./email.ts";
import { success } from "./fault-support.ts";
import { hour, iso, type Message } from "./history.ts";
import { type Mutant, type RequirementId, remembers, shows } from "./mutant.ts";
import { isSuccess, type Json, objectOf } from "./newsletter.ts";
import {
  both,
  eventsOf,
  hasCopies,
  inBatchFrom,
  isMoved,
  isMovedTwice,
  onItsWay,
  records,
  wasScheduled,
  withoutEvent,
} from "./past.ts";

/** Changes the records of messages with a status. */
const inStatus = (
  requirement: RequirementId,
  title: string,
  status: string,
  change: (record: Json) => Json,
): Mutant =>
  changeRecords(requirement, title, (record) => (record.status === status ? change(record) : record));

export const deliveryMutants: Mutant[] = [
  inStatus("DELIV-2", "no message becomes delivered", "delivered", (record) => onItsWay(record)),
  shows("DELIV-3", "delivery is confirmed after an hour", (response, request, { now }) => {
    const record = objectOf(response.body);
    return isMessageLookup(request) &&
      isSuccess(response) &&
      record.status === "delivered" &&
      now() - timeOf(record.sent_at) < hour
      ? { ...response, body: onItsWay(record) }
      : response;
  }),
  inStatus("DELIV-3", "delivery is never confirmed in a lookup of a single send", "delivered", (record) =>
    String(record.id).startsWith("msg_") ? onItsWay(record) : record,
  ),
  remembers("DELIV-4", "a message that was just sent has the status scheduled", () => {
    const seen = new Set<string>();
    return (response, request) => {
      const record = objectOf(response.body);
      if (!isMessageLookup(request) || !isSuccess(response) || seen.has(idOf(request))) return response;
      seen.add(idOf(request));
      return record.status === "sent" ? { ...response, body: { ...record, status: "scheduled" } } : response;
    };
  }),
  inStatus("DELIV-4", "a message has the status canceled until it is delivered", "sent", (record) =>
    onItsWay(record, "canceled"),
  ),
  inStatus("DELIV-5", "no message becomes bounced", "bounced", (record) => onItsWay(record, "delayed")),
  inStatus("DELIV-6", "a bounce has no event", "bounced", (record) => ({
    ...record,
    events: (record.events as Json[]).filter(({ type }) => type !== "bounced"),
  })),
];

const isOver = ({ status }: Json): boolean => status !== "sent";

/** Faults of simulated recipients, in the records of their messages. */
const faults: [RequirementId, to: string, title: string, (record: Json) => Json][] = [
  [
    "SIM-1",
    "success",
    "is delayed",
    (record) => (isOver(record) ? { ...record, status: "delayed", delivered_at: null } : record),
  ],
  ["SIM-2", "bounce", "is delivered first", (record) => ({ ...record, delivered_at: record.bounced_at })],
  [
    "SIM-3",
    "complaint",
    "is never delivered",
    (record) => (isOver(record) ? { ...record, delivered_at: null } : record),
  ],
  [
    "SIM-4",
    "suppressionlist",
    "has delivered_at",
    (record) => (isOver(record) ? { ...record, delivered_at: record.bounced_at } : record),
  ],
];

/** One mutant for single messages and one for batches. */
export const simulatorMutants: Mutant[] = faults.flatMap(([requirement, to, fault, change]) =>
  [false, true].map((inBatch) =>
    changeRecords(requirement, `a message to ${to} ${fault}${inBatch ? ", in a batch" : ""}`, (record) =>
      String(record.to).includes(`${to}@`) && String(record.id).startsWith("sched_") === inBatch
        ? change(record)
        : record,
    ),
  ),
);

export const ofSimulator: Mutant[] = [
  records("SIM-1", "a scheduled message to success stays on its way", wasScheduled, (record) =>
    record.sent_at !== null && String(record.to).includes("success@") ? onItsWay(record) : record,
  ),
];

/** Properties and events of one state that are missing. */
const missing: [RequirementId, string, (record: Json, message: Message, now: number) => Json][] = [
  ["DELIV-6", "that bounced has no event of it", withoutEvent("bounced")],
];

export const ofProperties: Mutant[] = Object.entries({
  "a scheduled message": wasScheduled,
  "a later message of a batch": inBatchFrom(1),
}).flatMap(([path, which]) =>
  missing.map(([requirement, title, change]) => records(requirement, `${path} ${title}`, which, change)),
);

const repeated =
  (type: string) =>
  (record: Json): Json => ({
    ...record,
    events: eventsOf(record).flatMap((event) => (event.type === type ? [event, event] : [event])),
  });

export const ofEvents: Mutant[] = [
  records("SCHED-10", "a message that is moved twice is sent twice", isMovedTwice, repeated("sent")),
  records(
    "SCHED-10",
    "a scheduled message with copies is sent twice once it is moved",
    both(isMoved, hasCopies),
    repeated("sent"),
  ),
];

export const ofShape: Mutant[] = [
  changeRecords("LOOK-1", "the record is in data", (record) => ({ data: record })),
  changeRecords("LOOK-1", "the record is in an array", (record) => [record]),
];

export const ofFinding: Mutant[] = [
  shows("LOOK-23", "a nonexistent id returns an empty success", (response, request) =>
    isMessageLookup(request) && response.status === 404 ? success(response, 200, {}) : undefined,
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
];
