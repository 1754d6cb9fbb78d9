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
  inEvents("EVENT-1", "an event has no time", (event) => without(event, "at")),
  inEvents("EVENT-1", "the time of an event is null", (event) => ({ ...event, at: null })),
  inEvents(
    "EVENT-2",
    "an event of type sent has a detail",
    ofType("sent", (event) => ({ ...event, detail: "250 OK" })),
  ),
];
