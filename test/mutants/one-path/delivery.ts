import type { Message } from "../history.ts";
import type { Mutant, RequirementId } from "../mutant.ts";
import { type Json, listOf } from "../newsletter.ts";
import {
  both,
  delivered,
  eventsOf,
  hasCopies,
  inBatchFrom,
  isMoved,
  isMovedTwice,
  isScheduled,
  onItsWay,
  records,
  set,
  when,
  withDetail,
  withoutEvent,
} from "./of-messages.ts";

const to =
  (local: string) =>
  ({ sent }: Message): boolean =>
    listOf(sent.to).some((address) => String(address).startsWith(`${local}@`));
/** The paths of a message to a simulated recipient, as in titles. */
const paths = {
  "a scheduled message": isScheduled,
};

type Fault = [requirement: RequirementId, local: string, title: string, change: (record: Json) => Json];

const isSent =
  (change: (record: Json) => Json) =>
  (record: Json): Json =>
    record.sent_at === null ? record : change(record);

/** Simulated recipients that behave wrong. */
const faults: Fault[] = [
  ["SIM-1", "success", "to success stays on its way", isSent(onItsWay)],
  ["SIM-2", "bounce", "to bounce is delivered", isSent(delivered)],
  [
    "SIM-3",
    "complaint",
    "to complaint is only delivered",
    (record) =>
      record.status === "complained" ? { ...record, status: "delivered", complained_at: null } : record,
  ],
  ["SIM-4", "suppressionlist", "to suppressionlist is delivered", isSent(delivered)],
];

const ofSimulator: Mutant[] = Object.entries(paths).flatMap(([path, which]) =>
  faults.map(([requirement, local, title, change]) =>
    records(requirement, `${path} ${title}`, both(which, to(local)), change),
  ),
);

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

const ofProperties: Mutant[] = Object.entries({
  "a scheduled message": isScheduled,
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

const ofEvents: Mutant[] = [
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

/** Deliveries that go wrong only on some paths. */
export const deliveryMutants: Mutant[] = [...ofSimulator, ...ofProperties, ...ofEvents];
