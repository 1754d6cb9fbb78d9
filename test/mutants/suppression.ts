import { isBatch, isScheduled, isSend, isSuppressed, stateful } from "./email.ts";
import type { Mutant, MutantRequest, MutantResponse, RequirementId } from "./mutant.ts";
import { errorResponse, isSuccess, type Json, listOf, objectOf } from "./newsletter.ts";
import { messagesIn } from "./requests.ts";

const fields = ["to", "cc", "bcc"] as const;
type Field = (typeof fields)[number];

interface Kind {
  what: string;
  applies(request: MutantRequest): boolean;
  /** The requirement that its response lists the suppressed recipients. */
  lists: RequirementId;
}

const kinds: Kind[] = [
  {
    what: "a send",
    applies: (request) => isSend(request) && !isScheduled(request),
    lists: "SEND-34",
  },
  { what: "a scheduled send", applies: isScheduled, lists: "SCHED-5" },
  { what: "a batch", applies: isBatch, lists: "BATCH-12" },
];

const goneIn = (message: Json, ...of: readonly Field[]): boolean =>
  of.some((field) => listOf(message[field]).some(isSuppressed));

const others = (message: Json, field: Field): unknown[] =>
  fields.filter((one) => one !== field).flatMap((one) => listOf(message[one]));

/** Removes a suppressed address of one field from the response. */
const omits = ({ applies, lists, what }: Kind, field: Field): Mutant =>
  stateful(lists, `the response to ${what} omits suppressed recipients in ${field}`, () => {
    return async (request, next) => {
      const response = await next(request);
      if (!applies(request) || !isSuccess(response)) return response;
      const messages = messagesIn(request);
      return changeEntries(response, (entry, index) => {
        const own = listOf(objectOf(messages[index])[field]);
        return { ...entry, suppressed: listOf(entry.suppressed).filter((one) => !own.includes(one)) };
      });
    };
  });

/** Changes the response to a send, or each entry of that to a batch. */
function changeEntries(
  response: MutantResponse,
  change: (entry: Json, index: number) => Json,
): MutantResponse {
  const body = objectOf(response.body);
  const data = Array.isArray(body.data) ? body.data.map(objectOf).map(change) : undefined;
  return { ...response, body: data === undefined ? change(body, 0) : { ...body, data } };
}

/** Rejects messages whose recipients in `to` are all suppressed, whatever the others. */
const rejectsByTo = ({ applies, what }: Kind): Mutant =>
  stateful(
    "SEND-35",
    `${what} whose recipients in to are all suppressed is rejected, although others remain`,
    () => (request, next) => {
      const isHit = messagesIn(request).some(
        (message) =>
          listOf(message.to).length > 0 &&
          listOf(message.to).every(isSuppressed) &&
          others(message, "to").some((one) => !isSuppressed(one)),
      );
      return applies(request) && isHit ? errorResponse(422, "send_rejected") : next(request);
    },
  );

/** Accepts messages without a remaining recipient. */
const accepts = ({ applies, what }: Kind, title: string, isHit: (message: Json) => boolean): Mutant =>
  stateful("SEND-36", `${what} is accepted although ${title}`, () => (request, next) => {
    const isOnlyGone = (message: Json): boolean =>
      fields.flatMap((field) => listOf(message[field])).every(isSuppressed);
    if (!applies(request) || !messagesIn(request).some((message) => isOnlyGone(message) && isHit(message)))
      return next(request);
    return next({ ...request, body: { ...objectOf(request.body), to: ["success@simulator.example"] } });
  });

const showsIn = ({ applies, what }: Kind, field: Field): Mutant =>
  stateful("SEND-33", `to in the response to ${what} includes suppressed recipients in ${field}`, () => {
    return async (request, next) => {
      const response = await next(request);
      const [message = {}] = messagesIn(request);
      return applies(request) && isSuccess(response) && goneIn(message, field)
        ? changeEntries(response, (entry) => ({
            ...entry,
            to: [...listOf(entry.to), ...listOf(message[field]).filter(isSuppressed)],
          }))
        : response;
    };
  });

const [send, scheduled] = kinds as [Kind, Kind, Kind];

export const suppressionMutants: Mutant[] = [
  ...kinds.flatMap((kind) => fields.flatMap((field) => [omits(kind, field)])),
  ...kinds.map(rejectsByTo),
  ...fields.map((field) => showsIn(send, field)),
  ...[send, scheduled].flatMap((kind) => [
    accepts(
      kind,
      "the recipients in to and cc are all suppressed",
      (message) => goneIn(message, "cc") && !goneIn(message, "bcc"),
    ),
    accepts(
      kind,
      "the recipients in to and bcc are all suppressed",
      (message) => goneIn(message, "bcc") && !goneIn(message, "cc"),
    ),
    accepts(
      kind,
      "the recipients in to, cc and bcc are all suppressed",
      (message) => goneIn(message, "cc") && goneIn(message, "bcc"),
    ),
    accepts(
      kind,
      "its recipients are all suppressed, if it is from a template",
      ({ template_id }) => template_id !== undefined,
    ),
  ]),
];
