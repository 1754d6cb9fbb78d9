import {
  idOf,
  inSendAnswers,
  isBatch,
  isLook,
  isScheduled,
  isSend,
  messagesIn,
  remembering,
  takesInBatch,
  takesSend,
  to,
} from "./email.ts";
import { type Fault, inAnswers, instead } from "./fault.ts";
import { isGood, type Json, objectOf, refusal, without } from "./newsletter.ts";

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);
const suppressed = "gone@readers.example";

/** What is answered to sends. */
export const sendAnswerFaults: Fault[] = [
  remembering("SEND-1", "forgets a message that it has taken", () => {
    const forgotten = new Set<unknown>();
    return async (request, next) => {
      if (isLook(request) && forgotten.has(idOf(request))) return refusal(404, "not_found");
      const answer = await next(request);
      if (isSend(request) && isGood(answer)) forgotten.add(objectOf(answer.body).id);
      return answer;
    };
  }),
  ...[200, 201].map((status) =>
    inAnswers("SEND-30", `answers ${status} to a send`, (answer, request) =>
      isSend(request) && isGood(answer) ? { ...answer, status } : undefined,
    ),
  ),
  inAnswers("SEND-30", "answers 200 to a scheduled send", (answer, request) =>
    isScheduled(request) && isGood(answer) ? { ...answer, status: 200 } : undefined,
  ),
  inSendAnswers("SEND-31", "the answer has a number as the id", (body) => ({ ...body, id: 17 })),
  inSendAnswers("SEND-31", "the answer calls the id message_id", ({ id, ...body }) => ({
    ...body,
    message_id: id,
  })),
  inSendAnswers("SEND-33", "the answer has no to", (body) => without(body, "to")),
  inSendAnswers("SEND-33", "to in the answer is a text", (body) => ({ ...body, to: String(body.to) })),
  inSendAnswers("SEND-33", "to in the answer has the suppressed recipients too", (body, { body: sent }) => ({
    ...body,
    to: objectOf(sent).to,
  })),
  inSendAnswers("SEND-33", "to in the answer has the first recipient only", (body) => ({
    ...body,
    to: (body.to as unknown[]).slice(0, 1),
  })),
  inSendAnswers("SEND-33", "to in the answer is empty", (body) => ({ ...body, to: [] })),
  inSendAnswers("SEND-34", "the answer has no suppressed", (body) => without(body, "suppressed")),
  inSendAnswers("SEND-34", "suppressed in the answer is a number", (body) => ({
    ...body,
    suppressed: lengthOf(body.suppressed),
  })),
  inSendAnswers("SEND-34", "suppressed in the answer is always empty", (body) => ({
    ...body,
    suppressed: [],
  })),
  inSendAnswers("SEND-34", "suppressed in the answer is null for nobody", (body) => ({
    ...body,
    suppressed: lengthOf(body.suppressed) === 0 ? null : body.suppressed,
  })),
  inSendAnswers("SEND-34", "suppressed in the answer has everybody", (body, { body: sent }) => ({
    ...body,
    suppressed: objectOf(sent).to,
  })),
  inSendAnswers("SEND-34", "suppressed in the answer knows old addresses only", (body) => ({
    ...body,
    to: [...(body.to as unknown[]), ...(body.suppressed as unknown[]).filter((one) => one !== suppressed)],
    suppressed: (body.suppressed as unknown[]).filter((one) => one === suppressed),
  })),
  instead("SEND-35", "refuses a send that is partly suppressed", (request) =>
    isSend(request) && lengthOf(objectOf(request.body).to) > 1 && hasSuppressed(objectOf(request.body))
      ? refusal(422, "send_rejected")
      : undefined,
  ),
  instead("SEND-35", "refuses a batch that is partly suppressed", (request) =>
    isBatch(request) && messagesIn(request.body).some((one) => lengthOf(one.to) > 1 && hasSuppressed(one))
      ? refusal(422, "send_rejected")
      : undefined,
  ),
  takesSend("SEND-36", "a send whose recipients are all suppressed", withSomebody),
  takesInBatch("SEND-36", "a message whose recipients are all suppressed", withSomebody),
  inAnswers(
    "SEND-36",
    "names it a malformed request that all recipients are suppressed",
    (answer, request) =>
      isSend(request) && answer.status === 422 && typeIn(answer.body) === "send_rejected"
        ? refusal(422, "invalid_request", "to")
        : undefined,
  ),
  inAnswers("SEND-36", "answers 409 where all recipients are suppressed", (answer, request) =>
    isSend(request) && answer.status === 422 && typeIn(answer.body) === "send_rejected"
      ? { ...answer, status: 409 }
      : undefined,
  ),
  inAnswers("SEND-37", "answers 400 to a malformed send", (answer, request) =>
    isSend(request) && answer.status === 422 ? { ...answer, status: 400 } : undefined,
  ),
  inAnswers("SEND-37", "answers 403 no_plan for a domain that is not the account's", (answer, request) =>
    isSend(request) && answer.status === 403 && typeIn(answer.body) === "send_rejected"
      ? refusal(403, "no_plan")
      : undefined,
  ),
];

const typeIn = (body: unknown): unknown => objectOf(objectOf(body).error).type;
const hasSuppressed = (message: Json): boolean =>
  Array.isArray(message.to) && message.to.includes(suppressed);

function withSomebody(message: Json): Json | undefined {
  return hasSuppressed(message) && lengthOf(message.to) === 1 ? { ...message, to } : undefined;
}
