import {
  acceptsInBatch,
  changeBatchEntries,
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
import { changeRequests, type Mutant, respondInstead } from "./mutant.ts";
import { errorResponse, isSuccess, type Json, objectOf, without } from "./newsletter.ts";

const good = (): Json => ({ from, to, subject: "Corrected", text: "It was wrong." });
const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

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
  stateful("BATCH-7", "drops messages from domains that cannot send", () => async (request, next) => {
    const response = await next(request);
    if (!isBatch(request) || response.status !== 403) return response;
    const emails = messagesIn(request.body).filter((one) => one.from === from);
    return emails.length === 0 ? response : await next({ ...request, body: { emails } });
  }),
];

const ofResponses: Mutant[] = [
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
  changeBatchEntries("BATCH-11", "the id of an entry is in message_id", (entries) =>
    entries.map(({ id, ...entry }) => ({ message_id: id, ...entry })),
  ),
  changeBatchEntries("BATCH-11", "all entries of a batch have the same id", (entries) =>
    entries.map((entry) => ({ ...entry, id: entries[0]?.id })),
  ),
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
