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
} from "../email.ts";
import { changeRequests, type Mutant, respondInstead } from "../mutant.ts";
import { errorResponse, type Json, listOf, objectOf } from "../newsletter.ts";
import { withFields } from "../requests.ts";

/** Why sending to an address of the demo account has stopped. */
const reasons = {
  "a complaint": "angry@readers.example",
  "an unsubscribe": "left@readers.example",
};

const omitting =
  (address: string) =>
  (body: Json): Json => ({ ...body, suppressed: listOf(body.suppressed).filter((one) => one !== address) });

const ofReasons: Mutant[] = Object.entries(reasons).flatMap(([reason, address]) => [
  changeSendResponses(
    "SEND-34",
    `the response to a send omits an address suppressed after ${reason}`,
    omitting(address),
    isImmediate,
  ),
  changeSendResponses(
    "SCHED-5",
    `the response to a scheduled send omits an address suppressed after ${reason}`,
    omitting(address),
    isScheduled,
  ),
  changeBatchEntries(
    "BATCH-12",
    `the response to a batch omits an address suppressed after ${reason}`,
    (entries) => entries.map(omitting(address)),
  ),
  changeRequests(
    "SEND-36",
    `a send is accepted although its only recipients are suppressed after ${reason}`,
    (request) => {
      const body = objectOf(request.body);
      const all = recipientFields.flatMap((name) => listOf(body[name]));
      return isSend(request) && all.length > 0 && all.every((one) => one === address)
        ? withFields(request, { to: ["success@simulator.example"], cc: undefined, bcc: undefined })
        : undefined;
    },
  ),
]);

const suppressedFields = (message: Json): number =>
  recipientFields.filter((name) => listOf(message[name]).some(isSuppressed)).length;
const hasOthers = (message: Json): boolean =>
  recipientFields.some((name) => listOf(message[name]).some((one) => !isSuppressed(one)));

const ofRejections: Mutant[] = [
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

const ofBatches: Mutant[] = [
  inEntries("the second entry of a batch lists no suppressed recipients", (entry, index) =>
    index === 1 ? { ...entry, suppressed: [] } : entry,
  ),
  inEntries("the third entry of a batch lists no suppressed recipients", (entry, index) =>
    index === 2 ? { ...entry, suppressed: [] } : entry,
  ),
  inEntries(
    "each entry of a batch lists the suppressed recipients of the one before it",
    (entry, index, all) => ({
      ...entry,
      suppressed: all[Math.max(index - 1, 0)]?.suppressed,
    }),
  ),
];

const ofRecipients: Mutant[] = [
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

/** Suppressed recipients that are treated wrong only on some paths. */
export const suppressionPathMutants: Mutant[] = [
  ...ofReasons,
  ...ofRejections,
  ...ofBatches,
  ...ofRecipients,
];
