import { asAnother, idOf, inRecords, isLook, isSend, remembering, taken, timeOf } from "./email.ts";
import { type Fault, inAnswers, type RequirementId } from "./fault.ts";
import { isGood, type Json, objectOf, refusal, without } from "./newsletter.ts";

/** The fields of a record by the requirement that promises them, and a value of another type. */
const fields: [RequirementId, string, unknown][] = [
  ["LOOK-2", "id", 17],
  ["LOOK-3", "from", { address: "contract@bakery.example" }],
  ["LOOK-4", "to", "success@simulator.example"],
  ["LOOK-5", "subject", null],
  ["LOOK-6", "tags", []],
  ["LOOK-7", "status", 2],
  ["LOOK-8", "status_description", null],
  ["LOOK-9", "scheduled_at", false],
  ["LOOK-10", "sent_at", 1_700_000_000],
  ["LOOK-11", "delivered_at", ""],
  ["LOOK-12", "bounced_at", false],
  ["LOOK-13", "complained_at", ""],
  ["LOOK-14", "bounce", false],
  ["LOOK-15", "events", {}],
];

const bounceFields: [RequirementId, string, unknown][] = [
  ["LOOK-16", "type", 5],
  ["LOOK-17", "subtype", null],
  ["LOOK-18", "permanent", "true"],
  ["LOOK-19", "summary", ["The mailbox does not exist."]],
  ["LOOK-20", "what_to_do", null],
  ["LOOK-21", "diagnostic", { code: 550 }],
];

const inBounces = (breaks: RequirementId, title: string, change: (bounce: Json) => Json): Fault =>
  inRecords(breaks, title, (record) =>
    record.bounce === null ? record : { ...record, bounce: change(objectOf(record.bounce)) },
  );

const ofShape: Fault[] = [
  inRecords("LOOK-1", "the record stands in data", (record) => ({ data: record })),
  inRecords("LOOK-1", "the record stands in an array", (record) => [record]),
  ...fields.flatMap(([id, name, wrong]) => [
    inRecords(id, `the record has no ${name}`, (record) => without(record, name)),
    inRecords(id, `${name} in the record is ${JSON.stringify(wrong)}`, (record) => ({
      ...record,
      [name]: wrong,
    })),
  ]),
  ...bounceFields.flatMap(([id, name, wrong]) => [
    inBounces(id, `the bounce has no ${name}`, (bounce) => without(bounce, name)),
    inBounces(id, `${name} in the bounce is ${JSON.stringify(wrong)}`, (bounce) => ({
      ...bounce,
      [name]: wrong,
    })),
  ]),
];

const isScheduled = ({ status }: Json): boolean => status === "scheduled";
const minute = 60_000;

const ofValues: Fault[] = [
  inRecords("LOOK-2", "the record has the id without its prefix", (record) => ({
    ...record,
    id: String(record.id).replace(/^sched_/, ""),
  })),
  inRecords("LOOK-3", "from in the record is the platform's own address", (record) => ({
    ...record,
    from: "mailer@service.example",
  })),
  inRecords("LOOK-4", "to in the record is empty", (record) => ({ ...record, to: [] })),
  inRecords("LOOK-4", "to in the record has the first recipient of a batch only", (record) =>
    String(record.id).startsWith("sched_") && !isScheduled(record)
      ? { ...record, to: ["success@simulator.example"] }
      : record,
  ),
  inRecords("LOOK-5", "the subject in the record is cut", (record) => ({
    ...record,
    subject: String(record.subject).slice(0, 10),
  })),
  inRecords("LOOK-6", "the names of tags come back in small letters", (record) => ({
    ...record,
    tags: Object.fromEntries(
      Object.entries(objectOf(record.tags)).map(([name, value]) => [name.toLowerCase(), value]),
    ),
  })),
  inRecords("LOOK-6", "tags without a value get lost", (record) => ({
    ...record,
    tags: Object.fromEntries(Object.entries(objectOf(record.tags)).filter(([, value]) => value !== "")),
  })),
  inRecords("LOOK-6", "tags that look like numbers come back as numbers", (record) => ({
    ...record,
    tags: Object.fromEntries(
      Object.entries(objectOf(record.tags)).map(([name, value]) => [
        name,
        /^\d+$/.test(String(value)) ? Number(value) : value,
      ]),
    ),
  })),
  inRecords("LOOK-6", "letters beyond ASCII in tags get lost", (record) => ({
    ...record,
    tags: Object.fromEntries(
      Object.entries(objectOf(record.tags)).map(([name, value]) => [
        name,
        String(value).replaceAll(/[^ -~]/g, "?"),
      ]),
    ),
  })),
  inRecords("LOOK-6", "the tags of a scheduled message get lost", (record) =>
    isScheduled(record) ? { ...record, tags: {} } : record,
  ),
  inRecords("LOOK-6", "tags that nobody sent are added", (record) => ({
    ...record,
    tags: { ...objectOf(record.tags), source: "api" },
  })),
  inRecords("LOOK-7", "the status begins with a capital letter", (record) => ({
    ...record,
    status: String(record.status).replace(/^./, (letter) => letter.toUpperCase()),
  })),
  inRecords("LOOK-8", "the status is explained in no words", (record) => ({
    ...record,
    status_description: "",
  })),
  inRecords("LOOK-9", "scheduled_at is null for a scheduled message", (record) => ({
    ...record,
    scheduled_at: null,
  })),
  inRecords("LOOK-9", "scheduled_at of a scheduled message is an hour late", (record) =>
    isScheduled(record)
      ? { ...record, scheduled_at: new Date(timeOf(record.scheduled_at) + 60 * minute).toISOString() }
      : record,
  ),
  inRecords("LOOK-9", "scheduled_at of a message sent at once is the time it was sent", (record) => ({
    ...record,
    scheduled_at: record.scheduled_at ?? record.sent_at,
  })),
  inRecords("LOOK-10", "sent_at is null for a message that was sent", (record) => ({
    ...record,
    sent_at: null,
  })),
  inRecords("LOOK-10", "sent_at of a scheduled message is the time it is going to be sent", (record) => ({
    ...record,
    sent_at: record.sent_at ?? record.scheduled_at,
  })),
  inRecords("LOOK-11", "delivered_at is set as soon as a message is sent", (record) => ({
    ...record,
    delivered_at: record.delivered_at ?? record.sent_at,
  })),
  inRecords("LOOK-11", "delivered_at gets lost when there is a complaint", (record) =>
    record.status === "complained" ? { ...record, delivered_at: null } : record,
  ),
  inRecords("LOOK-12", "bounced_at is set for every message that was sent", (record) => ({
    ...record,
    bounced_at: record.sent_at,
  })),
  inRecords("LOOK-12", "bounced_at is null for a bounced message", (record) => ({
    ...record,
    bounced_at: null,
  })),
  inRecords("LOOK-13", "complained_at is set for every message that was delivered", (record) => ({
    ...record,
    complained_at: record.delivered_at,
  })),
  inRecords("LOOK-13", "complained_at is null for a complaint", (record) => ({
    ...record,
    complained_at: null,
  })),
  inRecords("LOOK-14", "a message that did not bounce has an empty bounce", (record) => ({
    ...record,
    bounce: record.bounce ?? {
      type: "",
      subtype: "",
      permanent: false,
      summary: "",
      what_to_do: "",
      diagnostic: "",
    },
  })),
  inRecords("LOOK-14", "the bounce of a bounced message is null", (record) => ({ ...record, bounce: null })),
  inRecords("LOOK-15", "the history of a message is empty", (record) => ({ ...record, events: [] })),
  inRecords("LOOK-15", "the history has texts in place of events", (record) => ({
    ...record,
    events: (record.events as Json[]).map(({ type }) => type),
  })),
];

const day = 86_400_000;

const ofFinding: Fault[] = [
  remembering("LOOK-22", "a message is found for a week only", ({ now }) => async (request, next) => {
    const answer = await next(request);
    const { sent_at } = objectOf(answer.body);
    return isLook(request) &&
      isGood(answer) &&
      typeof sent_at === "string" &&
      now() - timeOf(sent_at) > 7 * day
      ? refusal(404, "not_found")
      : answer;
  }),
  remembering("LOOK-22", "a message is found for ever", () => {
    const records = new Map<string, unknown>();
    return async (request, next) => {
      const answer = await next(request);
      if (!isLook(request)) return answer;
      const known = records.get(idOf(request) + request.headers.authorization);
      if (isGood(answer)) records.set(idOf(request) + request.headers.authorization, answer.body);
      return answer.status === 404 && known !== undefined ? taken(answer, 200, known) : answer;
    };
  }),
  remembering("LOOK-22", "a message is gone with 410 when the limit has passed", () => {
    const ids = new Set<string>();
    return async (request, next) => {
      const answer = await next(request);
      if (isSend(request) && isGood(answer)) ids.add(String(objectOf(answer.body).id));
      return isLook(request) && answer.status === 404 && ids.has(idOf(request))
        ? refusal(410, "gone")
        : answer;
    };
  }),
  remembering("LOOK-23", "another account finds a message too", ({ bearer }) => async (request, next) => {
    const answer = await next(request);
    return isLook(request) && answer.status === 404 ? asAnother(request, next, bearer("full")) : answer;
  }),
  remembering(
    "LOOK-23",
    "another account may not find a message, and is told so",
    ({ bearer }) =>
      async (request, next) => {
        const answer = await next(request);
        if (!isLook(request) || answer.status !== 404) return answer;
        return isGood(await asAnother(request, next, bearer("full"))) ? refusal(403, "forbidden") : answer;
      },
  ),
  inAnswers("LOOK-23", "an id that nobody has is answered with success and nothing", (answer, request) =>
    isLook(request) && answer.status === 404 ? taken(answer, 200, {}) : undefined,
  ),
  inAnswers("LOOK-23", "an id that nobody has is a malformed request", (answer, request) =>
    isLook(request) && answer.status === 404 ? refusal(422, "invalid_request", "id") : undefined,
  ),
  inAnswers("LOOK-23", "an id that nobody has is of another type of error", (answer, request) =>
    isLook(request) && answer.status === 404 ? refusal(404, "message_not_found") : undefined,
  ),
];

export const lookupFaults: Fault[] = [...ofShape, ...ofValues, ...ofFinding];
