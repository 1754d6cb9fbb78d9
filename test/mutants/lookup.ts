import { accepted, changeRecords, isMessageLookup } from "./email.ts";
import { changeResponses, type Mutant, type RequirementId } from "./mutant.ts";
import { type Json, objectOf, without } from "./newsletter.ts";

/** The properties of a record with their requirements. */
const fields: [RequirementId, string][] = [
  ["LOOK-7", "status"],
  ["LOOK-8", "status_description"],
  ["LOOK-15", "events"],
];

const bounceFields: [RequirementId, string, unknown][] = [
  ["LOOK-16", "type", 5],
  ["LOOK-17", "subtype", null],
  ["LOOK-18", "permanent", "true"],
  ["LOOK-19", "summary", ["The mailbox does not exist."]],
  ["LOOK-20", "what_to_do", null],
  ["LOOK-21", "diagnostic", { code: 550 }],
];

const inBounces = (requirement: RequirementId, title: string, change: (bounce: Json) => Json): Mutant =>
  changeRecords(requirement, title, (record) =>
    record.bounce === null ? record : { ...record, bounce: change(objectOf(record.bounce)) },
  );

const ofShape: Mutant[] = [
  changeRecords("LOOK-1", "the record is in data", (record) => ({ data: record })),
  changeRecords("LOOK-1", "the record is in an array", (record) => [record]),
  ...fields.map(([id, name]) =>
    changeRecords(id, `the record has no ${name}`, (record) => without(record, name)),
  ),
  ...bounceFields.flatMap(([id, name, wrong]) => [
    inBounces(id, `the bounce has no ${name}`, (bounce) => without(bounce, name)),
    inBounces(id, `${name} in the bounce is ${JSON.stringify(wrong)}`, (bounce) => ({
      ...bounce,
      [name]: wrong,
    })),
  ]),
];

const isScheduled = ({ status }: Json): boolean => status === "scheduled";

const ofValues: Mutant[] = [
  changeRecords("LOOK-2", "the record has the id without its prefix", (record) => ({
    ...record,
    id: String(record.id).replace(/^sched_/, ""),
  })),
  changeRecords("LOOK-4", "to in the record has only the first recipient of a batch", (record) =>
    String(record.id).startsWith("sched_") && !isScheduled(record)
      ? { ...record, to: ["success@simulator.example"] }
      : record,
  ),
  changeRecords("LOOK-6", "the tags of a scheduled message are lost", (record) =>
    isScheduled(record) ? { ...record, tags: {} } : record,
  ),
  changeRecords("LOOK-7", "the status is capitalized", (record) => ({
    ...record,
    status: String(record.status).replace(/^./, (letter) => letter.toUpperCase()),
  })),
  changeRecords("LOOK-9", "scheduled_at is null for a scheduled message", (record) => ({
    ...record,
    scheduled_at: null,
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

const ofFinding: Mutant[] = [
  changeResponses("LOOK-23", "a nonexistent id returns an empty success", (response, request) =>
    isMessageLookup(request) && response.status === 404 ? accepted(response, 200, {}) : undefined,
  ),
];

export const lookupMutants: Mutant[] = [...ofShape, ...ofValues, ...ofFinding];
