import {
  acceptsSend,
  changeSendResponses,
  idOf,
  isBatch,
  isMessageLookup,
  isScheduled,
  isSend,
  isSuppressed,
  messagesIn,
  stateful,
  to,
} from "./email.ts";
import { changeResponses, type Mutant, respondInstead } from "./mutant.ts";
import { errorResponse, isSuccess, type Json, objectOf, without } from "./newsletter.ts";

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/** Responses to sends. */
export const sendResponseMutants: Mutant[] = [
  stateful("SEND-1", "loses an accepted message", () => {
    const forgotten = new Set<unknown>();
    return async (request, next) => {
      if (isMessageLookup(request) && forgotten.has(idOf(request))) return errorResponse(404, "not_found");
      const response = await next(request);
      if (isSend(request) && isSuccess(response)) forgotten.add(objectOf(response.body).id);
      return response;
    };
  }),
  ...[200, 201].map((status) =>
    changeResponses("SEND-30", `returns ${status} for a send`, (response, request) =>
      isSend(request) && isSuccess(response) ? { ...response, status } : undefined,
    ),
  ),
  changeResponses("SEND-30", "returns 200 for a scheduled send", (response, request) =>
    isScheduled(request) && isSuccess(response) ? { ...response, status: 200 } : undefined,
  ),
  changeSendResponses("SEND-31", "the response has a number as the id", (body) => ({ ...body, id: 17 })),
  changeSendResponses("SEND-31", "the id is in message_id", ({ id, ...body }) => ({
    ...body,
    message_id: id,
  })),
  changeSendResponses("SEND-33", "the response has no to", (body) => without(body, "to")),
  changeSendResponses("SEND-33", "to in the response is a text", (body) => ({
    ...body,
    to: String(body.to),
  })),
  changeSendResponses(
    "SEND-33",
    "to in the response includes suppressed recipients",
    (body, { body: sent }) => ({
      ...body,
      to: objectOf(sent).to,
    }),
  ),
  changeSendResponses("SEND-33", "to in the response has only the first recipient", (body) => ({
    ...body,
    to: (body.to as unknown[]).slice(0, 1),
  })),
  changeSendResponses("SEND-33", "to in the response is empty", (body) => ({ ...body, to: [] })),
  changeSendResponses("SEND-34", "the response has no suppressed", (body) => without(body, "suppressed")),
  changeSendResponses("SEND-34", "suppressed in the response is a number", (body) => ({
    ...body,
    suppressed: lengthOf(body.suppressed),
  })),
  changeSendResponses("SEND-34", "suppressed in the response is always empty", (body) => ({
    ...body,
    suppressed: [],
  })),
  changeSendResponses("SEND-34", "suppressed in the response is null if it is empty", (body) => ({
    ...body,
    suppressed: lengthOf(body.suppressed) === 0 ? null : body.suppressed,
  })),
  changeSendResponses("SEND-34", "suppressed in the response has all recipients", (body, { body: sent }) => ({
    ...body,
    suppressed: objectOf(sent).to,
  })),
  changeSendResponses("SEND-34", "suppressed in the response omits recent suppressions", (body) => ({
    ...body,
    to: [...(body.to as unknown[]), ...(body.suppressed as unknown[]).filter((one) => !isSuppressed(one))],
    suppressed: (body.suppressed as unknown[]).filter(isSuppressed),
  })),
  respondInstead("SEND-35", "rejects a send with one suppressed recipient", (request) =>
    isSend(request) && lengthOf(objectOf(request.body).to) > 1 && hasSuppressed(objectOf(request.body))
      ? errorResponse(422, "send_rejected")
      : undefined,
  ),
  respondInstead("SEND-35", "rejects a batch with one suppressed recipient", (request) =>
    isBatch(request) && messagesIn(request.body).some((one) => lengthOf(one.to) > 1 && hasSuppressed(one))
      ? errorResponse(422, "send_rejected")
      : undefined,
  ),
  acceptsSend("SEND-36", "a send with only suppressed recipients", withSomebody),
  changeResponses(
    "SEND-36",
    "returns invalid_request if all recipients are suppressed",
    (response, request) =>
      isSend(request) && response.status === 422 && typeIn(response.body) === "send_rejected"
        ? errorResponse(422, "invalid_request", "to")
        : undefined,
  ),
  changeResponses("SEND-36", "returns 409 if all recipients are suppressed", (response, request) =>
    isSend(request) && response.status === 422 && typeIn(response.body) === "send_rejected"
      ? { ...response, status: 409 }
      : undefined,
  ),
  changeResponses("SEND-37", "returns 400 for an invalid send", (response, request) =>
    isSend(request) && response.status === 422 ? { ...response, status: 400 } : undefined,
  ),
  changeResponses(
    "SEND-37",
    "returns 403 no_plan for a domain of no or another account",
    (response, request) =>
      isSend(request) && response.status === 403 && typeIn(response.body) === "send_rejected"
        ? errorResponse(403, "no_plan")
        : undefined,
  ),
];

const typeIn = (body: unknown): unknown => objectOf(objectOf(body).error).type;
const hasSuppressed = ({ to: recipients }: Json): boolean =>
  Array.isArray(recipients) && recipients.some(isSuppressed);

function withSomebody(message: Json): Json | undefined {
  return Array.isArray(message.to) && message.to.length > 0 && message.to.every(isSuppressed)
    ? { ...message, to }
    : undefined;
}
