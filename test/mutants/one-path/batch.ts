import { changeBatchEntries, isBatch, isMessageLookup, messagesIn, unsent } from "../email.ts";
import { changeRequests, type Mutant, type RequirementId, respondInstead } from "../mutant.ts";
import {
  errorResponse,
  firstPairs,
  isSuccess,
  type Json,
  listOf,
  objectOf,
  textOf,
  without,
} from "../newsletter.ts";
import { errorIn, withError, withMessages } from "../requests.ts";
import { withPast } from "./history.ts";
import { inBatchFrom, records, responsesAbout } from "./of-messages.ts";

/** Repairs what is wrong in the messages of a batch at a position or later. */
const accepts = (
  requirement: RequirementId,
  title: string,
  from: number,
  repair: (message: Json) => Json,
): Mutant =>
  changeRequests(requirement, title, (request) =>
    isBatch(request) && messagesIn(request.body).length > from
      ? withMessages(request, (message, index) => (index < from ? message : repair(message)))
      : undefined,
  );

const sender = "contract@bakery.example";
const recipient = "success@simulator.example";
const limited =
  (name: string, count: number) =>
  (message: Json): Json =>
    name in message
      ? { ...message, [name]: Array.isArray(message[name]) ? message[name].slice(0, count) : message[name] }
      : message;

const rules: [string, (message: Json) => Json][] = [
  ["may lack from", (message) => ({ from: sender, ...message })],
  ["may lack to", (message) => ({ to: [recipient], ...message })],
  ["may lack a subject", (message) => ("template_id" in message ? message : { subject: "Fine", ...message })],
  [
    "may lack a body",
    (message) =>
      "template_id" in message || "html" in message || "text" in message
        ? message
        : { ...message, text: "Fine." },
  ],
  ["may have more than 50 recipients in cc", limited("cc", 50)],
  ["may have more than 50 recipients in bcc", limited("bcc", 50)],
  [
    "may have a subject of 999 characters",
    (message) =>
      "subject" in message && typeof message.subject === "string"
        ? { ...message, subject: message.subject.slice(0, 998) }
        : message,
  ],
  [
    "may have 21 tags",
    (message) => ("tags" in message ? { ...message, tags: firstPairs(message.tags, 20) } : message),
  ],
  [
    "may have 11 headers",
    (message) => ("headers" in message ? { ...message, headers: firstPairs(message.headers, 10) } : message),
  ],
  [
    "may have a display name in from",
    (message) =>
      "from" in message ? { ...message, from: textOf(message.from).replace(/^.*<(.*)>$/, "$1") } : message,
  ],
];

const ofRules: Mutant[] = rules.map(([title, repair]) =>
  accepts("BATCH-4", `the third message of a batch ${title}`, 2, repair),
);

const ofValidation: Mutant[] = [
  accepts("BATCH-5", "the second message of a batch may have attachments", 1, (message) =>
    without(message, "attachments"),
  ),
  accepts("BATCH-6", "the second message of a batch may have a scheduled_at", 1, (message) =>
    without(message, "scheduled_at"),
  ),
  respondInstead("BATCH-4", "rejects a batch with messages from two domains", (request) => {
    const domains = isBatch(request)
      ? messagesIn(request.body).map(({ from }) => textOf(from).split("@")[1])
      : [];
    return new Set(domains).size > 1 && domains.every((one) => /^(shop\.)?bakery\.example$/.test(String(one)))
      ? errorResponse(422, "invalid_request", "emails.1.from")
      : undefined;
  }),
  respondInstead("BATCH-4", "rejects a batch with two equal messages", (request) => {
    const messages = isBatch(request) ? messagesIn(request.body).map((one) => JSON.stringify(one)) : [];
    return new Set(messages).size < messages.length && messages.length <= 100
      ? errorResponse(422, "invalid_request", "emails.1")
      : undefined;
  }),
  withPast(
    "BATCH-8",
    "the index of an invalid message after the first two is one too low",
    async (request, next) => {
      const response = await next(request);
      const fields = errorIn(response)?.fields;
      if (!isBatch(request) || fields === undefined) return response;
      const lowered = Object.entries(objectOf(fields)).map(([name, texts]) => [
        name.replace(/^emails\.(\d+)/, (all, index) =>
          Number(index) > 1 ? `emails.${Number(index) - 1}` : all,
        ),
        texts,
      ]);
      return withError(response, { fields: Object.fromEntries(lowered) });
    },
  ),
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
  withPast("BATCH-7", "a batch rejected for its last message sends the others", async (request, next) => {
    const response = await next(request);
    const messages = isBatch(request) ? messagesIn(request.body) : [];
    const rest = messages.slice(0, -1);
    const names = Object.keys(objectOf(errorIn(response)?.fields));
    const isLast =
      names.length > 0 && names.every((name) => name.startsWith(`emails.${messages.length - 1}.`));
    if (response.status === 422 && rest.length > 0 && isLast)
      await next({ ...request, body: { emails: rest } });
    return response;
  }),
];

const ofEntries: Mutant[] = [
  changeBatchEntries("BATCH-10", "the last two entries of three or more are swapped", (entries) =>
    entries.length < 3 ? entries : [...entries.slice(0, -2), ...entries.slice(-2).toReversed()],
  ),
  changeBatchEntries("BATCH-11", "the third entry of a batch has the id of the second", (entries) =>
    entries.map((entry, index) => (index === 2 ? { ...entry, id: entries[1]?.id } : entry)),
  ),
  changeBatchEntries("BATCH-11", "the id of the second entry of a batch has no prefix", (entries) =>
    entries.map((entry, index) =>
      index === 1 ? { ...entry, id: textOf(entry.id).replace("sched_", "") } : entry,
    ),
  ),
  changeBatchEntries("BATCH-9", "equal messages of a batch have one entry", (entries, request) => {
    const messages = messagesIn(request.body).map((one) => JSON.stringify(one));
    return entries.filter((_, index) => messages.indexOf(messages[index] ?? "") === index);
  }),
];

const ofMessages: Mutant[] = [
  responsesAbout(
    "BATCH-13",
    "the third message of a batch is not found",
    isMessageLookup,
    inBatchFrom(2),
    (response) => (isSuccess(response) ? errorResponse(404, "not_found") : response),
  ),
  records(
    "BATCH-14",
    "the messages of a batch with copies stay queued",
    ({ kind, sent }) => kind === "batch" && listOf(sent.cc).length + listOf(sent.bcc).length > 0,
    (record) => unsent(record, "queued"),
  ),
  records("BATCH-14", "the third message of a batch is never sent", inBatchFrom(2), (record) =>
    unsent(record, "queued"),
  ),
];

/** Batches that go wrong only at some positions. */
export const batchPathMutants: Mutant[] = [...ofRules, ...ofValidation, ...ofEntries, ...ofMessages];
