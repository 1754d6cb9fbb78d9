import { changeRecords, idOf, isMessageLookup, stateful, timeOf } from "./email.ts";
import { hour, type Message } from "./history.ts";
import type { Mutant, RequirementId } from "./mutant.ts";
import { isSuccess, type Json, objectOf, without } from "./newsletter.ts";
import {
  both,
  eventsOf,
  hasCopies,
  inBatchFrom,
  isMoved,
  isMovedTwice,
  onItsWay,
  records,
  set,
  wasScheduled,
  when,
  withDetail,
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
  inStatus("DELIV-1", "a delivered message has the status opened", "delivered", set({ status: "opened" })),
  inStatus("DELIV-1", "a scheduled message has the status pending", "scheduled", set({ status: "pending" })),
  inStatus("DELIV-2", "no message becomes delivered", "delivered", (record) => onItsWay(record)),
  inStatus("DELIV-2", "a delivered message has no delivered_at", "delivered", set({ delivered_at: null })),
  stateful("DELIV-3", "delivery is confirmed after an hour", ({ now }) => async (request, next) => {
    const response = await next(request);
    const record = objectOf(response.body);
    return isMessageLookup(request) &&
      isSuccess(response) &&
      record.status === "delivered" &&
      now() - timeOf(record.sent_at) < hour
      ? { ...response, body: onItsWay(record) }
      : response;
  }),
  stateful("DELIV-4", "a message that was just sent has the status scheduled", () => {
    const seen = new Set<string>();
    return async (request, next) => {
      const response = await next(request);
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
  inStatus("DELIV-5", "a bounced message has the status failed", "bounced", set({ status: "failed" })),
  inStatus("DELIV-6", "a bounce has no event", "bounced", (record) => ({
    ...record,
    events: (record.events as Json[]).filter(({ type }) => type !== "bounced"),
  })),
  inStatus(
    "DELIV-7",
    "a complaint leaves a message delivered and sets complained_at",
    "complained",
    set({ status: "delivered" }),
  ),
  inStatus(
    "DELIV-7",
    "a complained message has no complained_at",
    "complained",
    set({ complained_at: null }),
  ),
];

/** Events in message records. */
const inEvents = (
  requirement: RequirementId,
  title: string,
  change: (event: Json, record: Json) => unknown,
): Mutant =>
  changeRecords(requirement, title, (record) => ({
    ...record,
    events: (record.events as Json[]).map((event) => change(event, record)),
  }));

const ofType =
  (type: string, change: (event: Json) => Json) =>
  (event: Json): Json =>
    event.type === type ? change(event) : event;

export const eventMutants: Mutant[] = [
  inEvents("EVENT-1", "an event has no time", (event) => without(event, "at")),
  inEvents("EVENT-1", "the time of an event is null", (event) => ({ ...event, at: null })),
  inEvents(
    "EVENT-2",
    "an event of type sent has a detail",
    ofType("sent", (event) => ({ ...event, detail: "250 OK" })),
  ),
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
  ["LOOK-12", "that bounced has no bounced_at", when("bounced", set({ bounced_at: null }))],
  ["LOOK-14", "that bounced has no bounce", when("bounced", set({ bounce: null }))],
  ["DELIV-6", "that bounced has no event of it", withoutEvent("bounced")],
  ["EVENT-3", "that bounced has an event without detail", withDetail("bounced", () => null)],
  ["LOOK-11", "that was delivered has no delivered_at", when("delivered", set({ delivered_at: null }))],
  [
    "LOOK-13",
    "that was marked as spam has no complained_at",
    when("complained", set({ complained_at: null })),
  ],
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
  records(
    "EVENT-2",
    "the sent event of a moved message has a detail",
    isMoved,
    withDetail("sent", () => "moved"),
  ),
  records(
    "EVENT-2",
    "the sent event of a message with copies has a detail",
    hasCopies,
    withDetail("sent", () => "3 recipients"),
  ),
  records("LOOK-15", "the events of a moved message are lost", isMoved, set({ events: [] })),
  records("SCHED-10", "a message that is moved twice is sent twice", isMovedTwice, repeated("sent")),
  records(
    "SCHED-10",
    "a scheduled message with copies is sent twice once it is moved",
    both(isMoved, hasCopies),
    repeated("sent"),
  ),
];
