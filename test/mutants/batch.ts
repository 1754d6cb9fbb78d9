import {
  changeBatchEntries,
  from,
  idOf,
  isBatch,
  isMessageLookup,
  messagesIn,
  stateful,
  to,
  unsent,
} from "./email.ts";
import { withPast } from "./history.ts";
import { type Mutant, type RequirementId, remembers, respondInstead, takes } from "./mutant.ts";
import { errorResponse, isSuccess, isUpsert, type Json, listOf, objectOf, textOf } from "./newsletter.ts";
import { errorIn, isRequestTo, sentMessages, withError, withFields, withMessages } from "./requests.ts";

const good = (): Json => ({ from, to, subject: "Corrected", text: "It was wrong." });
const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

export const ofWholeness: Mutant[] = [
  stateful("BATCH-7", "drops messages from domains that cannot send", () => async (request, next) => {
    const response = await next(request);
    if (!isBatch(request) || response.status !== 403) return response;
    const emails = messagesIn(request.body).filter((one) => one.from === from);
    return emails.length === 0 ? response : await next({ ...request, body: { emails } });
  }),
];

export const ofResponses: Mutant[] = [
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
  remembers("BATCH-14", "the messages of a batch stay queued", () => {
    const ids = new Set<unknown>();
    return (response, request) => {
      if (isBatch(request) && isSuccess(response))
        for (const { id } of objectOf(response.body).data as Json[]) ids.add(id);
      return isMessageLookup(request) && isSuccess(response) && ids.has(idOf(request))
        ? { ...response, body: unsent(objectOf(response.body), "queued") }
        : response;
    };
  }),
];

export const ofValidation: Mutant[] = [
  respondInstead("BATCH-4", "rejects a batch with two equal messages", (request) => {
    const messages = isBatch(request) ? messagesIn(request.body).map((one) => JSON.stringify(one)) : [];
    return new Set(messages).size < messages.length && messages.length <= 100
      ? errorResponse(422, "invalid_request", "emails.1")
      : undefined;
  }),
  withPast(
    "ERR-10",
    "error.fields names only the first of several invalid messages",
    async (request, next) => {
      const response = await next(request);
      const named = Object.entries(objectOf(errorIn(response)?.fields));
      const first = /^emails\.\d+/.exec(named[0]?.[0] ?? "")?.[0];
      if (!isBatch(request) || first === undefined) return response;
      const fields = named.filter(([name]) => name === first || name.startsWith(`${first}.`));
      return withError(response, { fields: Object.fromEntries(fields) });
    },
  ),
];

export const ofEntries: Mutant[] = [
  changeBatchEntries("BATCH-10", "the last two entries of three or more are swapped", (entries) =>
    entries.length < 3 ? entries : [...entries.slice(0, -2), ...entries.slice(-2).toReversed()],
  ),
  changeBatchEntries("BATCH-9", "equal messages of a batch have one entry", (entries, request) => {
    const messages = messagesIn(request.body).map((one) => JSON.stringify(one));
    return entries.filter((_, index) => messages.indexOf(messages[index] ?? "") === index);
  }),
];

const isAddress = (value: unknown): boolean => /^[^@\s]+@[^@\s]+$/.test(textOf(value));

/** Repairs the later entries of a list, so that only the first one counts. */
const rest = (value: unknown, repair: (entry: unknown) => unknown): unknown =>
  Array.isArray(value) ? value.map((entry, index) => (index === 0 ? entry : repair(entry))) : value;

type Pair = [name: string, value: unknown];

/** The same for the properties of an object. */
const restOf = (value: unknown, repair: (pair: Pair, index: number) => Pair): unknown => {
  const [first, ...others] = Object.entries(objectOf(value));
  return first === undefined ? value : Object.fromEntries([first, ...others.map(repair)]);
};

/** Validates only the first entry of a property in every message. */
const inMessages = (
  requirement: RequirementId,
  title: string,
  field: string,
  change: (value: unknown) => unknown,
): Mutant =>
  takes(requirement, title, (request) =>
    sentMessages(request).some((message) => field in message)
      ? withMessages(request, (message) =>
          field in message ? { ...message, [field]: change(message[field]) } : message,
        )
      : undefined,
  );

const inPosts = (
  requirement: RequirementId,
  title: string,
  field: string,
  change: (body: Json) => unknown,
): Mutant =>
  takes(requirement, title, (request) =>
    isUpsert(request) && field in objectOf(request.body)
      ? withFields(request, { [field]: change(objectOf(request.body)) })
      : undefined,
  );

const ofAddresses = (
  [
    ["ERR-10", "to"],
    ["SEND-18", "cc"],
    ["SEND-19", "bcc"],
  ] as const
).map(([id, field]) =>
  inMessages(id, `only the first entry of ${field} is validated`, field, (value) =>
    rest(value, (entry) => (isAddress(entry) ? entry : "success@simulator.example")),
  ),
);

/** Constraints that apply only to the first entry. */
export const laterEntriesMutants: Mutant[] = [
  ...ofAddresses,
  inMessages("SEND-22", "only the name of the first tag is validated", "tags", (tags) =>
    restOf(tags, ([name, value]) => [name.replaceAll(/[^\w:.-]/g, "_"), value]),
  ),
  inMessages("SEND-23", "only the value of the first tag is validated", "tags", (tags) =>
    restOf(tags, ([name, value]) => [name, typeof value === "string" ? value.slice(0, 128) : value]),
  ),
  inMessages("SEND-26", "only the name of the first header is validated", "headers", (headers) =>
    restOf(headers, ([name, value]) => [/^(X-|List-Unsubscribe)/.test(name) ? name : `X-${name}`, value]),
  ),
  inMessages("SEND-27", "only the value of the first header is validated", "headers", (headers) =>
    restOf(headers, ([name, value]) => [name, textOf(value).replaceAll(/[\r\n]/g, " ")]),
  ),
  inPosts("CONT-11", "only the key of the first custom field is validated", "fields", ({ fields }) =>
    restOf(fields, ([key, value], index) => [/^contract_/.test(key) ? `note_${index + 1}` : key, value]),
  ),
  inPosts("CONT-12", "only the value of the first custom field is validated", "fields", ({ fields }) =>
    restOf(fields, ([key, value]) => [
      key,
      key === "birthday" && typeof value === "string" && !/^\d{4}-/.test(value) ? "1990-11-05" : value,
    ]),
  ),
  inPosts("CONT-15", "only the first tag of a contact is validated", "tags", ({ tags }) =>
    listOf(tags).length > 20 ? tags : rest(tags, (tag) => textOf(tag).slice(0, 60)),
  ),
  takes("BATCH-8", "only the first ten messages of a batch are validated", (request) => {
    const count = isRequestTo(request, "sendBatch") ? sentMessages(request).length : 0;
    if (count <= 10 || count > 100) return undefined;
    return withMessages(request, (message, index) => (index < 10 ? message : good()));
  }),
];
