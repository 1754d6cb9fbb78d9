import { changeBatchEntries, isBatch, isMessageLookup, messagesIn, unsent } from "../email.ts";
import { withPast } from "../history.ts";
import { changeRequests, type Mutant, type RequirementId, respondInstead } from "../mutant.ts";
import { errorResponse, isSuccess, type Json, objectOf, without } from "../newsletter.ts";
import { errorIn, withError, withMessages } from "../requests.ts";
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

const rules: [string, (message: Json) => Json][] = [
  ["may lack from", (message) => ({ from: sender, ...message })],
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

const ofEntries: Mutant[] = [
  changeBatchEntries("BATCH-10", "the last two entries of three or more are swapped", (entries) =>
    entries.length < 3 ? entries : [...entries.slice(0, -2), ...entries.slice(-2).toReversed()],
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
  records("BATCH-14", "the third message of a batch is never sent", inBatchFrom(2), (record) =>
    unsent(record, "queued"),
  ),
];

/** Batches that go wrong only at some positions. */
export const batchPathMutants: Mutant[] = [...ofRules, ...ofValidation, ...ofEntries, ...ofMessages];
