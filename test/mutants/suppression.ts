import {
  changeBatchEntries,
  changeSendResponses,
  isBatch,
  isImmediate,
  isScheduled,
  isSend,
  isSuppressed,
  messagesIn,
  recipientFields,
  stateful,
} from "./email.ts";
import {
  type Mutant,
  type MutantRequest,
  type MutantResponse,
  type RequirementId,
  remembers,
  respondInstead,
  takes,
} from "./mutant.ts";
import { errorResponse, isSuccess, type Json, listOf, objectOf } from "./newsletter.ts";
import { sentMessages, withFields } from "./requests.ts";

type Field = (typeof recipientFields)[number];

interface Kind {
  what: string;
  applies(request: MutantRequest): boolean;
  /** The requirement that its response lists the suppressed recipients. */
  lists: RequirementId;
}

const kinds: Kind[] = [
  { what: "a send", applies: isImmediate, lists: "SEND-34" },
  { what: "a scheduled send", applies: isScheduled, lists: "SCHED-5" },
  { what: "a batch", applies: isBatch, lists: "BATCH-12" },
];

const goneIn = (message: Json, ...of: readonly Field[]): boolean =>
  of.some((field) => listOf(message[field]).some(isSuppressed));

const others = (message: Json, field: Field): unknown[] =>
  recipientFields.filter((one) => one !== field).flatMap((one) => listOf(message[one]));

/** Removes a suppressed address of one field from the response. */
const omits = ({ applies, lists, what }: Kind, field: Field): Mutant =>
  remembers(lists, `the response to ${what} omits suppressed recipients in ${field}`, () => {
    return (response, request) => {
      if (!applies(request) || !isSuccess(response)) return response;
      const messages = sentMessages(request);
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
      const isHit = sentMessages(request).some(
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
  takes("SEND-36", `${what} is accepted although ${title}`, (request) => {
    const isOnlyGone = (message: Json): boolean =>
      recipientFields.flatMap((field) => listOf(message[field])).every(isSuppressed);
    if (!applies(request) || !sentMessages(request).some((message) => isOnlyGone(message) && isHit(message)))
      return request;
    return withFields(request, { to: ["success@simulator.example"] });
  });

const showsIn = (field: Field): Mutant =>
  changeSendResponses(
    "SEND-33",
    `to in the response to a send includes suppressed recipients in ${field}`,
    (body, request) => ({
      ...body,
      to: [...listOf(body.to), ...listOf(objectOf(request.body)[field]).filter(isSuppressed)],
    }),
  );

const [send, scheduled] = kinds as [Kind, Kind, Kind];

export const suppressionMutants: Mutant[] = [
  ...kinds.flatMap((kind) => recipientFields.map((field) => omits(kind, field))),
  ...kinds.map(rejectsByTo),
  ...recipientFields.map(showsIn),
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

/** Omits an address of the demo account whose owner has complained. */
const omitting = (body: Json): Json => ({
  ...body,
  suppressed: listOf(body.suppressed).filter((one) => one !== "angry@readers.example"),
});

export const ofReasons: Mutant[] = [
  changeSendResponses(
    "SEND-34",
    "the response to a send omits an address suppressed after a complaint",
    omitting,
    isImmediate,
  ),
  changeSendResponses(
    "SCHED-5",
    "the response to a scheduled send omits an address suppressed after a complaint",
    omitting,
    isScheduled,
  ),
  changeBatchEntries(
    "BATCH-12",
    "the response to a batch omits an address suppressed after a complaint",
    (entries) => entries.map(omitting),
  ),
  takes(
    "SEND-36",
    "a send is accepted although its only recipients are suppressed after an unsubscribe",
    (request) => {
      const body = objectOf(request.body);
      const all = recipientFields.flatMap((name) => listOf(body[name]));
      return isSend(request) && all.length > 0 && all.every((one) => one === "left@readers.example")
        ? withFields(request, { to: ["success@simulator.example"], cc: undefined, bcc: undefined })
        : undefined;
    },
  ),
];

const suppressedFields = (message: Json): number =>
  recipientFields.filter((name) => listOf(message[name]).some(isSuppressed)).length;
const hasOthers = (message: Json): boolean =>
  recipientFields.some((name) => listOf(message[name]).some((one) => !isSuppressed(one)));

export const ofRejections: Mutant[] = [
  ...(
    [
      ["a send", isImmediate],
      ["a scheduled send", isScheduled],
    ] as const
  ).map(([what, applies]) =>
    respondInstead(
      "SEND-35",
      `${what} with suppressed recipients in two properties is rejected`,
      (request) => {
        const body = objectOf(request.body);
        return applies(request) && suppressedFields(body) > 1 && hasOthers(body)
          ? errorResponse(422, "send_rejected")
          : undefined;
      },
    ),
  ),
  respondInstead(
    "SEND-35",
    "a batch with suppressed recipients in its second message is rejected",
    (request) => {
      const [, second = {}] = isBatch(request) ? messagesIn(request.body) : [];
      return suppressedFields(second) > 0 && hasOthers(second)
        ? errorResponse(422, "send_rejected")
        : undefined;
    },
  ),
];

const inEntries = (title: string, change: (entry: Json, index: number, all: Json[]) => Json): Mutant =>
  changeBatchEntries("BATCH-12", title, (entries) => entries.map(change));

export const ofBatches: Mutant[] = [
  inEntries(
    "each entry of a batch lists the suppressed recipients of the one before it",
    (entry, index, all) => ({
      ...entry,
      suppressed: all[Math.max(index - 1, 0)]?.suppressed,
    }),
  ),
];

export const ofRecipients: Mutant[] = [
  changeSendResponses(
    "SEND-33",
    "to in the response ends at the first suppressed recipient",
    (body, request) => {
      const asked = listOf(objectOf(request.body).to);
      const first = asked.findIndex(isSuppressed);
      const before = asked.slice(0, first);
      return first < 0 || before.length === 0
        ? body
        : { ...body, to: listOf(body.to).filter((one) => before.includes(one)) };
    },
  ),
];
