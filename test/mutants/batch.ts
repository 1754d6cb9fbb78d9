import {
  acceptsInBatch,
  changeBatchEntries,
  changeSendResponses,
  from,
  idOf,
  isBatch,
  isMessageLookup,
  messagesIn,
  rejectsInBatch,
  stateful,
  to,
  unsent,
} from "./email.ts";
import { changeRequests, changeResponses, type Mutant, respondInstead } from "./mutant.ts";
import { errorResponse, isSuccess, type Json, objectOf, without } from "./newsletter.ts";

const good = (): Json => ({ from, to, subject: "Corrected", text: "It was wrong." });
const isWhole = (message: unknown): boolean =>
  typeof message === "object" && message !== null && "subject" in message && "from" in message;
const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/** Changes the names in `error.fields` of a batch. */
const renamed = (title: string, rename: (name: string) => string): Mutant =>
  changeResponses("BATCH-8", title, (response, request) => {
    const error = objectOf(objectOf(response.body).error);
    if (!isBatch(request) || response.status !== 422 || error.fields === undefined) return undefined;
    const fields = Object.entries(objectOf(error.fields)).map(([name, words]) => [rename(name), words]);
    return { ...response, body: { error: { ...error, fields: Object.fromEntries(fields) } } };
  });

const ofRequests: Mutant[] = [
  changeRequests("BATCH-1", "accepts a batch without emails", (request) =>
    isBatch(request) && !("emails" in objectOf(request.body))
      ? { ...request, body: { emails: [good()] } }
      : undefined,
  ),
  changeRequests("BATCH-1", "accepts a text as emails", (request) =>
    isBatch(request) && typeof objectOf(request.body).emails === "string"
      ? { ...request, body: { emails: [good()] } }
      : undefined,
  ),
  changeRequests("BATCH-2", "accepts an empty batch", (request) =>
    isBatch(request) && Array.isArray(objectOf(request.body).emails) && messagesIn(request.body).length === 0
      ? { ...request, body: { emails: [good()] } }
      : undefined,
  ),
  changeRequests("BATCH-3", "accepts a batch of 101 messages", (request) =>
    isBatch(request) && messagesIn(request.body).length > 100
      ? { ...request, body: { emails: messagesIn(request.body).slice(0, 100) } }
      : undefined,
  ),
  respondInstead("BATCH-3", "rejects a batch of 100 messages", (request) =>
    isBatch(request) && messagesIn(request.body).length === 100
      ? errorResponse(422, "invalid_request", "emails")
      : undefined,
  ),
  acceptsInBatch("BATCH-4", "a message without a from", (body) =>
    "from" in body ? undefined : { ...body, from },
  ),
  acceptsInBatch("BATCH-4", "a message without a to", (body) => ("to" in body ? undefined : { ...body, to })),
  acceptsInBatch("BATCH-4", "a display name in from", (body) =>
    String(body.from).includes("<") ? { ...body, from } : undefined,
  ),
  acceptsInBatch("BATCH-4", "51 recipients in to", (body) =>
    lengthOf(body.to) > 50 ? { ...body, to: (body.to as unknown[]).slice(0, 50) } : undefined,
  ),
  acceptsInBatch("BATCH-4", "51 recipients in bcc", (body) =>
    lengthOf(body.bcc) > 50 ? { ...body, bcc: (body.bcc as unknown[]).slice(0, 50) } : undefined,
  ),
  acceptsInBatch("BATCH-4", "a subject of 999 characters", (body) =>
    String(body.subject).length > 998 ? { ...body, subject: "Shorter" } : undefined,
  ),
  acceptsInBatch("BATCH-4", "a tag value of 129 characters", (body) =>
    Object.values(objectOf(body.tags)).some((value) => String(value).length > 128)
      ? without(body, "tags")
      : undefined,
  ),
  acceptsInBatch("BATCH-4", "a line break in a header", (body) =>
    Object.values(objectOf(body.headers)).some((value) => /[\r\n]/.test(String(value)))
      ? without(body, "headers")
      : undefined,
  ),
  rejectsInBatch("BATCH-4", "50 recipients in to", "to", (message) => lengthOf(message.to) === 50),
  rejectsInBatch("BATCH-4", "a template", "template_id", (message) => "template_id" in message),
  rejectsInBatch(
    "BATCH-4",
    "20 tags",
    "tags",
    (message) => Object.keys(objectOf(message.tags)).length === 20,
  ),
  acceptsInBatch("BATCH-5", "attachments", (body) =>
    "attachments" in body ? without(body, "attachments") : undefined,
  ),
  acceptsInBatch("BATCH-6", "a scheduled_at", (body) =>
    "scheduled_at" in body ? without(body, "scheduled_at") : undefined,
  ),
];

const ofWholeness: Mutant[] = [
  stateful("BATCH-7", "sends the valid messages of a rejected batch", () => async (request, next) => {
    const response = await next(request);
    if (isBatch(request) && response.status === 422) await next(goodOnly(request));
    return response;
  }),
  stateful(
    "BATCH-7",
    "accepts the valid messages of a batch and drops the others",
    () => async (request, next) => {
      const response = await next(request);
      const emails = messagesIn(request.body).filter(isWhole);
      return isBatch(request) && response.status === 422 && emails.length > 0 && emails.length < 100
        ? await next(goodOnly(request))
        : response;
    },
  ),
  stateful("BATCH-7", "drops messages from domains that cannot send", () => async (request, next) => {
    const response = await next(request);
    if (!isBatch(request) || response.status !== 403) return response;
    const emails = messagesIn(request.body).filter((one) => one.from === from);
    return emails.length === 0 ? response : await next({ ...request, body: { emails } });
  }),
  renamed("numbers the messages of a batch from one", (name) =>
    name.replace(/^emails\.(\d+)/, (_, position) => `emails.${Number(position) + 1}`),
  ),
  renamed("names the property of a message without its index", (name) => name.replace(/^emails\.\d+\./, "")),
  renamed("names the index in brackets", (name) => name.replace(/^emails\.(\d+)\./, "emails[$1].")),
  renamed("names the first message instead of the invalid one", (name) =>
    name.replace(/^emails\.\d+/, "emails.0"),
  ),
  renamed("names the message without its property", (name) => name.replace(/^(emails\.\d+)\..*/, "$1")),
];

const goodOnly = <Request extends { body: unknown }>(request: Request): Request => ({
  ...request,
  body: { emails: messagesIn(request.body).filter(isWhole) },
});

const prefix = "sched_";

const ofResponses: Mutant[] = [
  changeSendResponses("BATCH-9", "the response to a batch is an array", (body) => body.data, isBatch),
  changeSendResponses(
    "BATCH-9",
    "the entries are in emails",
    ({ data, ...body }) => ({ ...body, emails: data }),
    isBatch,
  ),
  changeBatchEntries("BATCH-9", "the last message of a batch has no entry", (entries) =>
    entries.slice(0, -1),
  ),
  changeBatchEntries("BATCH-9", "a batch of more than ten messages has ten entries", (entries) =>
    entries.slice(0, 10),
  ),
  changeBatchEntries("BATCH-9", "a message of a batch has one entry per recipient", (entries, { body }) =>
    entries.flatMap((entry, index) =>
      Array.from({ length: lengthOf(messagesIn(body)[index]?.to) }, () => entry),
    ),
  ),
  changeBatchEntries("BATCH-10", "the entries of a batch are in reverse order", (entries) =>
    entries.toReversed(),
  ),
  changeBatchEntries("BATCH-10", "the entries of a batch are sorted by recipient", (entries, { body }) =>
    entries
      .map((entry, index) => ({ entry, to: String(messagesIn(body)[index]?.to) }))
      .sort((one, other) => (one.to < other.to ? -1 : 1))
      .map(({ entry }) => entry),
  ),
  stateful("BATCH-11", "the ids of a batch have no prefix", () => async (request, next) => {
    if (isMessageLookup(request) && !idOf(request).includes("_")) {
      const path = request.path.replace(/[^/]+$/, (id) => prefix + id);
      const response = await next({ ...request, path });
      return isSuccess(response)
        ? { ...response, body: { ...objectOf(response.body), id: idOf(request) } }
        : response;
    }
    const response = await next(request);
    if (!isBatch(request) || !isSuccess(response)) return response;
    const data = (objectOf(response.body).data as Json[]).map(({ id, ...entry }) => ({
      id: String(id).slice(prefix.length),
      ...entry,
    }));
    return { ...response, body: { data } };
  }),
  changeBatchEntries("BATCH-11", "the id of an entry is in message_id", (entries) =>
    entries.map(({ id, ...entry }) => ({ message_id: id, ...entry })),
  ),
  changeBatchEntries("BATCH-11", "all entries of a batch have the same id", (entries) =>
    entries.map((entry) => ({ ...entry, id: entries[0]?.id })),
  ),
  changeBatchEntries("BATCH-12", "the entries of a batch have no suppressed", (entries) =>
    entries.map((entry) => without(entry, "suppressed")),
  ),
  changeBatchEntries("BATCH-12", "suppressed in the entries of a batch is always empty", (entries) =>
    entries.map((entry) => ({ ...entry, suppressed: [] })),
  ),
  changeBatchEntries("BATCH-12", "each entry lists the suppressed recipients of the whole batch", (entries) =>
    entries.map((entry) => ({ ...entry, suppressed: entries.flatMap(({ suppressed }) => suppressed) })),
  ),
  stateful("BATCH-13", "the messages of a batch are found only after ten seconds", ({ now }) => {
    const since = new Map<unknown, number>();
    return async (request, next) => {
      if (isMessageLookup(request) && now() - (since.get(idOf(request)) ?? 0) < 10_000)
        return errorResponse(404, "not_found");
      const response = await next(request);
      if (isBatch(request) && isSuccess(response))
        for (const { id } of objectOf(response.body).data as Json[]) since.set(id, now());
      return response;
    };
  }),
  stateful("BATCH-13", "the ids of a batch are not found", () => {
    const ids = new Set<unknown>();
    return async (request, next) => {
      if (isMessageLookup(request) && ids.has(idOf(request))) return errorResponse(404, "not_found");
      const response = await next(request);
      if (isBatch(request) && isSuccess(response))
        for (const { id } of objectOf(response.body).data as Json[]) ids.add(id);
      return response;
    };
  }),
  stateful("BATCH-14", "the messages of a batch stay queued", () => {
    const ids = new Set<unknown>();
    return async (request, next) => {
      const response = await next(request);
      if (isBatch(request) && isSuccess(response))
        for (const { id } of objectOf(response.body).data as Json[]) ids.add(id);
      return isMessageLookup(request) && isSuccess(response) && ids.has(idOf(request))
        ? { ...response, body: unsent(objectOf(response.body), "queued") }
        : response;
    };
  }),
];

export const batchMutants: Mutant[] = [...ofRequests, ...ofWholeness, ...ofResponses];
