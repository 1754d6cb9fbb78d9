import {
  from,
  idOf,
  inEntries,
  inSendAnswers,
  isBatch,
  isLook,
  messagesIn,
  refusesInBatch,
  remembering,
  takesInBatch,
  to,
  unsent,
} from "./email.ts";
import { type Fault, inAnswers, inRequests, instead } from "./fault.ts";
import { isGood, type Json, objectOf, refusal, without } from "./newsletter.ts";

const good = (): Json => ({ from, to, subject: "Put right", text: "It was wrong." });
const isWhole = (message: unknown): boolean =>
  typeof message === "object" && message !== null && "subject" in message && "from" in message;
const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/** Entries in the names of field errors of a batch. */
const renamed = (title: string, rename: (name: string) => string): Fault =>
  inAnswers("BATCH-8", title, (answer, request) => {
    const error = objectOf(objectOf(answer.body).error);
    if (!isBatch(request) || answer.status !== 422 || error.fields === undefined) return undefined;
    const fields = Object.entries(objectOf(error.fields)).map(([name, words]) => [rename(name), words]);
    return { ...answer, body: { error: { ...error, fields: Object.fromEntries(fields) } } };
  });

const ofRequests: Fault[] = [
  inRequests("BATCH-1", "takes a batch without emails", (request) =>
    isBatch(request) && !("emails" in objectOf(request.body))
      ? { ...request, body: { emails: [good()] } }
      : undefined,
  ),
  inRequests("BATCH-1", "takes a text as emails", (request) =>
    isBatch(request) && typeof objectOf(request.body).emails === "string"
      ? { ...request, body: { emails: [good()] } }
      : undefined,
  ),
  inRequests("BATCH-2", "takes a batch of no messages", (request) =>
    isBatch(request) && Array.isArray(objectOf(request.body).emails) && messagesIn(request.body).length === 0
      ? { ...request, body: { emails: [good()] } }
      : undefined,
  ),
  inRequests("BATCH-3", "takes a batch of 101 messages", (request) =>
    isBatch(request) && messagesIn(request.body).length > 100
      ? { ...request, body: { emails: messagesIn(request.body).slice(0, 100) } }
      : undefined,
  ),
  instead("BATCH-3", "refuses a batch of 100 messages", (request) =>
    isBatch(request) && messagesIn(request.body).length === 100
      ? refusal(422, "invalid_request", "emails")
      : undefined,
  ),
  takesInBatch("BATCH-4", "a message without a from", (body) =>
    "from" in body ? undefined : { ...body, from },
  ),
  takesInBatch("BATCH-4", "a message without a to", (body) => ("to" in body ? undefined : { ...body, to })),
  takesInBatch("BATCH-4", "a display name in front of the from address", (body) =>
    String(body.from).includes("<") ? { ...body, from } : undefined,
  ),
  takesInBatch("BATCH-4", "51 addresses in to", (body) =>
    lengthOf(body.to) > 50 ? { ...body, to: (body.to as unknown[]).slice(0, 50) } : undefined,
  ),
  takesInBatch("BATCH-4", "51 addresses in bcc", (body) =>
    lengthOf(body.bcc) > 50 ? { ...body, bcc: (body.bcc as unknown[]).slice(0, 50) } : undefined,
  ),
  takesInBatch("BATCH-4", "a subject of 999 characters", (body) =>
    String(body.subject).length > 998 ? { ...body, subject: "Shorter" } : undefined,
  ),
  takesInBatch("BATCH-4", "a tag value of 129 characters", (body) =>
    Object.values(objectOf(body.tags)).some((value) => String(value).length > 128)
      ? without(body, "tags")
      : undefined,
  ),
  takesInBatch("BATCH-4", "a line break in a header", (body) =>
    Object.values(objectOf(body.headers)).some((value) => /[\r\n]/.test(String(value)))
      ? without(body, "headers")
      : undefined,
  ),
  refusesInBatch("BATCH-4", "50 addresses in to", "to", (message) => lengthOf(message.to) === 50),
  refusesInBatch("BATCH-4", "a template", "template_id", (message) => "template_id" in message),
  refusesInBatch(
    "BATCH-4",
    "20 tags",
    "tags",
    (message) => Object.keys(objectOf(message.tags)).length === 20,
  ),
  takesInBatch("BATCH-5", "attachments", (body) =>
    "attachments" in body ? without(body, "attachments") : undefined,
  ),
  takesInBatch("BATCH-6", "a scheduled_at", (body) =>
    "scheduled_at" in body ? without(body, "scheduled_at") : undefined,
  ),
];

const ofWholeness: Fault[] = [
  remembering(
    "BATCH-7",
    "sends the good messages of a batch that it refuses",
    () => async (request, next) => {
      const answer = await next(request);
      if (isBatch(request) && answer.status === 422) await next(goodOnly(request));
      return answer;
    },
  ),
  remembering(
    "BATCH-7",
    "takes the good messages of a batch and leaves out the others",
    () => async (request, next) => {
      const answer = await next(request);
      const emails = messagesIn(request.body).filter(isWhole);
      return isBatch(request) && answer.status === 422 && emails.length > 0 && emails.length < 100
        ? await next(goodOnly(request))
        : answer;
    },
  ),
  remembering(
    "BATCH-7",
    "leaves out messages from a domain that it cannot send from",
    () => async (request, next) => {
      const answer = await next(request);
      if (!isBatch(request) || answer.status !== 403) return answer;
      const emails = messagesIn(request.body).filter((one) => one.from === from);
      return emails.length === 0 ? answer : await next({ ...request, body: { emails } });
    },
  ),
  renamed("counts the positions of messages from one", (name) =>
    name.replace(/^emails\.(\d+)/, (_, position) => `emails.${Number(position) + 1}`),
  ),
  renamed("names the field of a message without its position", (name) => name.replace(/^emails\.\d+\./, "")),
  renamed("names the position in brackets", (name) => name.replace(/^emails\.(\d+)\./, "emails[$1].")),
  renamed("names the first message, whichever is wrong", (name) => name.replace(/^emails\.\d+/, "emails.0")),
  renamed("names the message without its field", (name) => name.replace(/^(emails\.\d+)\..*/, "$1")),
];

const goodOnly = <Request extends { body: unknown }>(request: Request): Request => ({
  ...request,
  body: { emails: messagesIn(request.body).filter(isWhole) },
});

const prefix = "sched_";

const ofAnswers: Fault[] = [
  inSendAnswers("BATCH-9", "the answer to a batch is a bare array", (body) => body.data, isBatch),
  inSendAnswers(
    "BATCH-9",
    "the entries stand in emails",
    ({ data, ...body }) => ({ ...body, emails: data }),
    isBatch,
  ),
  inEntries("BATCH-9", "the last message of a batch has no entry", (entries) => entries.slice(0, -1)),
  inEntries("BATCH-9", "a batch of more than ten has ten entries", (entries) => entries.slice(0, 10)),
  inEntries("BATCH-9", "a message of a batch has an entry for each recipient", (entries, { body }) =>
    entries.flatMap((entry, index) =>
      Array.from({ length: lengthOf(messagesIn(body)[index]?.to) }, () => entry),
    ),
  ),
  inEntries("BATCH-10", "the entries of a batch stand in reverse order", (entries) => entries.toReversed()),
  inEntries("BATCH-10", "the entries of a batch are in the order of the recipients", (entries, { body }) =>
    entries
      .map((entry, index) => ({ entry, to: String(messagesIn(body)[index]?.to) }))
      .sort((one, other) => (one.to < other.to ? -1 : 1))
      .map(({ entry }) => entry),
  ),
  remembering("BATCH-11", "the ids of a batch have no prefix", () => async (request, next) => {
    if (isLook(request) && !idOf(request).includes("_")) {
      const path = request.path.replace(/[^/]+$/, (id) => prefix + id);
      const answer = await next({ ...request, path });
      return isGood(answer) ? { ...answer, body: { ...objectOf(answer.body), id: idOf(request) } } : answer;
    }
    const answer = await next(request);
    if (!isBatch(request) || !isGood(answer)) return answer;
    const data = (objectOf(answer.body).data as Json[]).map(({ id, ...entry }) => ({
      id: String(id).slice(prefix.length),
      ...entry,
    }));
    return { ...answer, body: { data } };
  }),
  inEntries("BATCH-11", "the id of an entry is called message_id", (entries) =>
    entries.map(({ id, ...entry }) => ({ message_id: id, ...entry })),
  ),
  inEntries("BATCH-11", "all entries of a batch have the same id", (entries) =>
    entries.map((entry) => ({ ...entry, id: entries[0]?.id })),
  ),
  inEntries("BATCH-12", "the entries of a batch have no suppressed", (entries) =>
    entries.map((entry) => without(entry, "suppressed")),
  ),
  inEntries("BATCH-12", "suppressed in the entries of a batch is always empty", (entries) =>
    entries.map((entry) => ({ ...entry, suppressed: [] })),
  ),
  inEntries("BATCH-12", "each entry lists the suppressed recipients of the whole batch", (entries) =>
    entries.map((entry) => ({ ...entry, suppressed: entries.flatMap(({ suppressed }) => suppressed) })),
  ),
  remembering("BATCH-13", "the messages of a batch are found after ten seconds only", ({ now }) => {
    const since = new Map<unknown, number>();
    return async (request, next) => {
      if (isLook(request) && now() - (since.get(idOf(request)) ?? 0) < 10_000)
        return refusal(404, "not_found");
      const answer = await next(request);
      if (isBatch(request) && isGood(answer))
        for (const { id } of objectOf(answer.body).data as Json[]) since.set(id, now());
      return answer;
    };
  }),
  remembering("BATCH-13", "the ids of a batch find nothing", () => {
    const ids = new Set<unknown>();
    return async (request, next) => {
      if (isLook(request) && ids.has(idOf(request))) return refusal(404, "not_found");
      const answer = await next(request);
      if (isBatch(request) && isGood(answer))
        for (const { id } of objectOf(answer.body).data as Json[]) ids.add(id);
      return answer;
    };
  }),
  remembering("BATCH-14", "the messages of a batch stay queued", () => {
    const ids = new Set<unknown>();
    return async (request, next) => {
      const answer = await next(request);
      if (isBatch(request) && isGood(answer))
        for (const { id } of objectOf(answer.body).data as Json[]) ids.add(id);
      return isLook(request) && isGood(answer) && ids.has(idOf(request))
        ? { ...answer, body: unsent(objectOf(answer.body), "queued") }
        : answer;
    };
  }),
];

export const batchFaults: Fault[] = [...ofRequests, ...ofWholeness, ...ofAnswers];
