import { changeRecords } from "./email.ts";
import type { Mutant, RequirementId } from "./mutant.ts";
import { type Json, without } from "./newsletter.ts";

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
  inEvents("EVENT-1", "an event has name instead of type", ({ type, ...event }) => ({
    name: type,
    ...event,
  })),
  inEvents("EVENT-1", "an event has no time", (event) => without(event, "at")),
  inEvents("EVENT-1", "the time of an event is null", (event) => ({ ...event, at: null })),
  inEvents("EVENT-1", "the detail of an event is an object", (event) => ({ ...event, detail: {} })),
  inEvents("EVENT-1", "an event without a detail omits it", (event) =>
    event.detail === null ? without(event, "detail") : event,
  ),
  inEvents(
    "EVENT-2",
    "an event of type sent has a detail",
    ofType("sent", (event) => ({ ...event, detail: "250 OK" })),
  ),
  inEvents(
    "EVENT-2",
    "the detail of an event of type sent is empty",
    ofType("sent", (event) => ({ ...event, detail: "" })),
  ),
  inEvents(
    "EVENT-3",
    "an event of type bounced has no detail",
    ofType("bounced", (event) => ({ ...event, detail: null })),
  ),
  inEvents(
    "EVENT-3",
    "an event of type bounced has a code as its detail",
    ofType("bounced", (event) => ({
      ...event,
      detail: String(event.detail).slice(0, 9),
    })),
  ),
];
