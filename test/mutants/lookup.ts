import { accepted, changeRecords, isCancel, isMessageLookup } from "./email.ts";
import { iso } from "./history.ts";
import { changeResponses, type Mutant, type RequirementId } from "./mutant.ts";
import {
  changeMemberships,
  errorResponse,
  isContactLookup,
  isSuccess,
  isUnsubscribe,
  isUpsert,
  type Json,
  objectOf,
  without,
} from "./newsletter.ts";
import {
  both,
  hasCopies,
  inBatchFrom,
  isMoved,
  records,
  responsesAbout,
  set,
  wasScheduled,
  when,
} from "./past.ts";

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

export const ofShape: Mutant[] = [
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

const hasStatusScheduled = ({ status }: Json): boolean => status === "scheduled";

export const ofValues: Mutant[] = [
  changeRecords("LOOK-2", "the record has the id without its prefix", (record) => ({
    ...record,
    id: String(record.id).replace(/^sched_/, ""),
  })),
  changeRecords("LOOK-4", "to in the record has only the first recipient of a batch", (record) =>
    String(record.id).startsWith("sched_") && !hasStatusScheduled(record)
      ? { ...record, to: ["success@simulator.example"] }
      : record,
  ),
  changeRecords("LOOK-6", "the tags of a scheduled message are lost", (record) =>
    hasStatusScheduled(record) ? { ...record, tags: {} } : record,
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

export const ofFinding: Mutant[] = [
  changeResponses("LOOK-23", "a nonexistent id returns an empty success", (response, request) =>
    isMessageLookup(request) && response.status === 404 ? accepted(response, 200, {}) : undefined,
  ),
];

const isOfBatch = (record: Json): boolean =>
  String(record.id).startsWith("sched_") && record.scheduled_at === null;
const localPartOf = ({ to }: Json): string => String([to].flat()[0]).split("@")[0] ?? "";
const now = "2026-01-01T00:00:00Z";

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

const bounce = {
  type: "none",
  subtype: "none",
  permanent: false,
  summary: "",
  what_to_do: "",
  diagnostic: "",
};

const isNotSent = ({ status }: Json): boolean => status === "scheduled" || status === "canceled";

export const ofMessages: Mutant[] = [
  inState(
    "LOOK-9",
    "a bounced message has a scheduled_at that nobody set",
    "scheduled_at",
    now,
    (record) => record.status === "bounced" && !String(record.id).startsWith("sched_"),
  ),
  inState("LOOK-10", "a canceled message has sent_at", "sent_at", now, ({ status }) => status === "canceled"),
  inState("LOOK-10", "a sent message of a batch has no sent_at", "sent_at", null, isOfBatch),
  inState("LOOK-11", "a message has delivered_at before it is sent", "delivered_at", now, isNotSent),
  inState("LOOK-12", "a message has bounced_at before it is sent", "bounced_at", now, isNotSent),
  inState("LOOK-13", "a message has complained_at before it is sent", "complained_at", now, isNotSent),
  inState("LOOK-14", "a message has an empty bounce before it is sent", "bounce", bounce, isNotSent),
  inState("LOOK-12", "a bounced message of a batch has no bounced_at", "bounced_at", null, isOfBatch),
  inState(
    "LOOK-14",
    "a message on the block list bounces without a bounce",
    "bounce",
    null,
    (record) => localPartOf(record) === "suppressionlist",
  ),
];

export const ofMemberships: Mutant[] = [
  changeMemberships("MEMB-9", "an unsubscribe shows no subscribed_at of the other lists", (one, request) =>
    isUnsubscribe(request) && one.status === "subscribed" ? { ...one, subscribed_at: null } : one,
  ),
  changeMemberships("MEMB-9", "a contact record of two lists has no subscribed_at", (one, request) =>
    isContactLookup(request) && one.list_id === 2 && one.status === "subscribed"
      ? { ...one, subscribed_at: null }
      : one,
  ),
  changeMemberships("MEMB-9", "an update of a pending contact sets subscribed_at", (one, request) =>
    isUpsert(request) && one.status === "pending" && objectOf(request.body).first_name !== undefined
      ? { ...one, subscribed_at: now }
      : one,
  ),
  changeMemberships("MEMB-10", "an unsubscribe of a pending contact sets no unsubscribed_at", (one) =>
    one.status === "unsubscribed" && one.subscribed_at === null ? { ...one, unsubscribed_at: null } : one,
  ),
];

export const ofTags: Mutant[] = [
  records("LOOK-6", "the tags of a message are lost when it is moved", isMoved, set({ tags: {} })),
];

export const ofAddresses: Mutant[] = [
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

export const ofSubjects: Mutant[] = [
  records("LOOK-5", "a canceled message has no subject", ({ canceled }) => canceled, set({ subject: "" })),
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
    "a scheduled message has no sent_at once it is delivered",
    wasScheduled,
    when("delivered", set({ sent_at: null })),
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
  records(
    "LOOK-8",
    "a canceled message has no status_description",
    () => true,
    when("canceled", set({ status_description: null })),
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
    "SCHED-7",
    "a scheduled message with copies has the status queued",
    both(wasScheduled, hasCopies),
    when("scheduled", set({ status: "queued" })),
  ),
];

const notFound = (title: string, which: Parameters<typeof records>[2], status: string): Mutant =>
  responsesAbout("SCHED-21", title, isMessageLookup, which, (response) =>
    isSuccess(response) && objectOf(response.body).status === status
      ? errorResponse(404, "not_found")
      : response,
  );

export const ofLookups: Mutant[] = [
  notFound("a moved message is not found once it is delivered", isMoved, "delivered"),
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
