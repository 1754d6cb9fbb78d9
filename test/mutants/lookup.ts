import { accepted, changeRecords, idOf, isMessageLookup, isSend, stateful, timeOf } from "./email.ts";
import { changeResponses, type Mutant, type RequirementId } from "./mutant.ts";
import { errorResponse, isSuccess, type Json, objectOf, without } from "./newsletter.ts";
import { withKey } from "./requests.ts";

/** The properties of a record with their requirements, and a value of another type. */
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

const inBounces = (requirement: RequirementId, title: string, change: (bounce: Json) => Json): Mutant =>
  changeRecords(requirement, title, (record) =>
    record.bounce === null ? record : { ...record, bounce: change(objectOf(record.bounce)) },
  );

const ofShape: Mutant[] = [
  changeRecords("LOOK-1", "the record is in data", (record) => ({ data: record })),
  changeRecords("LOOK-1", "the record is in an array", (record) => [record]),
  ...fields.flatMap(([id, name, wrong]) => [
    changeRecords(id, `the record has no ${name}`, (record) => without(record, name)),
    changeRecords(id, `${name} in the record is ${JSON.stringify(wrong)}`, (record) => ({
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

const ofValues: Mutant[] = [
  changeRecords("LOOK-2", "the record has the id without its prefix", (record) => ({
    ...record,
    id: String(record.id).replace(/^sched_/, ""),
  })),
  changeRecords("LOOK-3", "from in the record is the platform's address", (record) => ({
    ...record,
    from: "mailer@service.example",
  })),
  changeRecords("LOOK-4", "to in the record is empty", (record) => ({ ...record, to: [] })),
  changeRecords("LOOK-4", "to in the record has only the first recipient of a batch", (record) =>
    String(record.id).startsWith("sched_") && !isScheduled(record)
      ? { ...record, to: ["success@simulator.example"] }
      : record,
  ),
  changeRecords("LOOK-5", "the subject in the record is truncated", (record) => ({
    ...record,
    subject: String(record.subject).slice(0, 10),
  })),
  changeRecords("LOOK-6", "the names of tags are in lower case", (record) => ({
    ...record,
    tags: Object.fromEntries(
      Object.entries(objectOf(record.tags)).map(([name, value]) => [name.toLowerCase(), value]),
    ),
  })),
  changeRecords("LOOK-6", "tags with an empty value are lost", (record) => ({
    ...record,
    tags: Object.fromEntries(Object.entries(objectOf(record.tags)).filter(([, value]) => value !== "")),
  })),
  changeRecords("LOOK-6", "numeric tag values are returned as numbers", (record) => ({
    ...record,
    tags: Object.fromEntries(
      Object.entries(objectOf(record.tags)).map(([name, value]) => [
        name,
        /^\d+$/.test(String(value)) ? Number(value) : value,
      ]),
    ),
  })),
  changeRecords("LOOK-6", "non-ASCII characters in tags are lost", (record) => ({
    ...record,
    tags: Object.fromEntries(
      Object.entries(objectOf(record.tags)).map(([name, value]) => [
        name,
        String(value).replaceAll(/[^ -~]/g, "?"),
      ]),
    ),
  })),
  changeRecords("LOOK-6", "the tags of a scheduled message are lost", (record) =>
    isScheduled(record) ? { ...record, tags: {} } : record,
  ),
  changeRecords("LOOK-6", "additional tags are returned", (record) => ({
    ...record,
    tags: { ...objectOf(record.tags), source: "api" },
  })),
  changeRecords("LOOK-7", "the status is capitalized", (record) => ({
    ...record,
    status: String(record.status).replace(/^./, (letter) => letter.toUpperCase()),
  })),
  changeRecords("LOOK-8", "status_description is empty", (record) => ({
    ...record,
    status_description: "",
  })),
  changeRecords("LOOK-9", "scheduled_at is null for a scheduled message", (record) => ({
    ...record,
    scheduled_at: null,
  })),
  changeRecords("LOOK-9", "scheduled_at of a scheduled message is an hour late", (record) =>
    isScheduled(record)
      ? { ...record, scheduled_at: new Date(timeOf(record.scheduled_at) + 60 * minute).toISOString() }
      : record,
  ),
  changeRecords("LOOK-9", "scheduled_at of an immediate send is the time it was sent", (record) => ({
    ...record,
    scheduled_at: record.scheduled_at ?? record.sent_at,
  })),
  changeRecords("LOOK-10", "sent_at is null for a sent message", (record) => ({
    ...record,
    sent_at: null,
  })),
  changeRecords("LOOK-10", "sent_at of a scheduled message is the time it will be sent", (record) => ({
    ...record,
    sent_at: record.sent_at ?? record.scheduled_at,
  })),
  changeRecords("LOOK-11", "delivered_at is set as soon as a message is sent", (record) => ({
    ...record,
    delivered_at: record.delivered_at ?? record.sent_at,
  })),
  changeRecords("LOOK-11", "delivered_at is cleared by a complaint", (record) =>
    record.status === "complained" ? { ...record, delivered_at: null } : record,
  ),
  changeRecords("LOOK-12", "bounced_at is set for every sent message", (record) => ({
    ...record,
    bounced_at: record.sent_at,
  })),
  changeRecords("LOOK-12", "bounced_at is null for a bounced message", (record) => ({
    ...record,
    bounced_at: null,
  })),
  changeRecords("LOOK-13", "complained_at is set for every delivered message", (record) => ({
    ...record,
    complained_at: record.delivered_at,
  })),
  changeRecords("LOOK-13", "complained_at is null after a complaint", (record) => ({
    ...record,
    complained_at: null,
  })),
  changeRecords("LOOK-14", "a message without a bounce has an empty bounce", (record) => ({
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
  changeRecords("LOOK-14", "the bounce of a bounced message is null", (record) => ({
    ...record,
    bounce: null,
  })),
  changeRecords("LOOK-15", "a message has no events", (record) => ({ ...record, events: [] })),
  changeRecords("LOOK-15", "the events are texts", (record) => ({
    ...record,
    events: (record.events as Json[]).map(({ type }) => type),
  })),
];

const day = 86_400_000;

const ofFinding: Mutant[] = [
  stateful("LOOK-22", "a message is found for only a week", ({ now }) => async (request, next) => {
    const response = await next(request);
    const { sent_at } = objectOf(response.body);
    return isMessageLookup(request) &&
      isSuccess(response) &&
      typeof sent_at === "string" &&
      now() - timeOf(sent_at) > 7 * day
      ? errorResponse(404, "not_found")
      : response;
  }),
  stateful("LOOK-22", "a message is found forever", () => {
    const records = new Map<string, unknown>();
    return async (request, next) => {
      const response = await next(request);
      if (!isMessageLookup(request)) return response;
      const known = records.get(idOf(request) + request.headers.authorization);
      if (isSuccess(response)) records.set(idOf(request) + request.headers.authorization, response.body);
      return response.status === 404 && known !== undefined ? accepted(response, 200, known) : response;
    };
  }),
  stateful("LOOK-22", "a message after the lookup window returns 410", () => {
    const ids = new Set<string>();
    return async (request, next) => {
      const response = await next(request);
      if (isSend(request) && isSuccess(response)) ids.add(String(objectOf(response.body).id));
      return isMessageLookup(request) && response.status === 404 && ids.has(idOf(request))
        ? errorResponse(410, "gone")
        : response;
    };
  }),
  stateful("LOOK-23", "another account finds a message", ({ bearer }) => async (request, next) => {
    const response = await next(request);
    return isMessageLookup(request) && response.status === 404
      ? next(withKey(request, bearer("full")))
      : response;
  }),
  stateful("LOOK-23", "a message of another account returns 403", ({ bearer }) => async (request, next) => {
    const response = await next(request);
    if (!isMessageLookup(request) || response.status !== 404) return response;
    return isSuccess(await next(withKey(request, bearer("full"))))
      ? errorResponse(403, "forbidden")
      : response;
  }),
  changeResponses("LOOK-23", "a nonexistent id returns an empty success", (response, request) =>
    isMessageLookup(request) && response.status === 404 ? accepted(response, 200, {}) : undefined,
  ),
  changeResponses("LOOK-23", "a nonexistent id returns 422", (response, request) =>
    isMessageLookup(request) && response.status === 404
      ? errorResponse(422, "invalid_request", "id")
      : undefined,
  ),
  changeResponses("LOOK-23", "a nonexistent id has another error type", (response, request) =>
    isMessageLookup(request) && response.status === 404 ? errorResponse(404, "message_not_found") : undefined,
  ),
];

export const lookupMutants: Mutant[] = [...ofShape, ...ofValues, ...ofFinding];
