import {
  changeSendResponses,
  from,
  idOf,
  isBatch,
  isMessageLookup,
  isScheduled,
  isSend,
  isSuppressed,
  stateful,
} from "./email.ts";
import {
  type Applies,
  changeRequests,
  type Mutant,
  type MutantRequest,
  type RequirementId,
} from "./mutant.ts";
import { errorResponse, isSuccess, objectOf, textOf } from "./newsletter.ts";
import { mistakes, sentMessages, withMessages } from "./requests.ts";

const comesFromNowhere = (request: MutantRequest): boolean =>
  sentMessages(request).some(({ from }) => String(from).includes("@nobody-"));

/** Accepts messages from a domain as if it were verified. */
const takesFrom = (
  requirement: RequirementId,
  [what, applies]: readonly [string, Applies],
  domain: string,
  pattern: RegExp,
): Mutant =>
  changeRequests(requirement, `${what} is sent from ${domain}`, (request) =>
    applies(request)
      ? withMessages(request, (message) =>
          pattern.test(textOf(message.from)) ? { ...message, from } : message,
        )
      : undefined,
  );

const scheduled = ["a scheduled message", isScheduled] as const;

const kinds = [["a message", isSend], ["a batch", isBatch], scheduled] as const;

export const sendersMutants: Mutant[] = [
  ...kinds.flatMap((kind) => [
    takesFrom("ERR-8", kind, "a domain with unfinished verification", /@unverified\.bakery\.example$/),
    takesFrom("ERR-9", kind, "a stopped domain", /@stopped\.bakery\.example$/),
  ]),
  takesFrom("AUTH-17", scheduled, "another account's domain", /@(?!(\w+\.)?bakery\.example>?$)/),
  mistakes(
    "ERR-11",
    "a nonexistent domain returns 422 invalid_request",
    "403 send_rejected",
    "422 invalid_request",
    comesFromNowhere,
  ),
];

/** Unknown and unpublished templates. */

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
  changeSendResponses("SEND-31", "the id is in message_id", ({ id, ...body }) => ({
    ...body,
    message_id: id,
  })),
  changeSendResponses("SEND-33", "to in the response has only the first recipient", (body) => ({
    ...body,
    to: (body.to as unknown[]).slice(0, 1),
  })),
  changeSendResponses("SEND-34", "suppressed in the response omits recent suppressions", (body) => ({
    ...body,
    to: [...(body.to as unknown[]), ...(body.suppressed as unknown[]).filter((one) => !isSuppressed(one))],
    suppressed: (body.suppressed as unknown[]).filter(isSuppressed),
  })),
];

/** Responses to sends that are valid as the variant for another request. */
export const responseVariantMutants: Mutant[] = [
  stateful("SCHED-3", "the id of a scheduled message has no prefix, and its response has a to", () => {
    const late = "/api/v1/emails/late_";
    return async (request, next) => {
      const isLate = request.path.startsWith(late);
      const response = await next(
        isLate ? { ...request, path: request.path.replace("/late_", "/sched_") } : request,
      );
      const applies = isScheduled(request) || (isLate && isMessageLookup(request));
      if (!applies || !isSuccess(response)) return response;
      const body = objectOf(response.body);
      const to = isLate ? body.to : objectOf(request.body).to;
      return { ...response, body: { ...body, to, id: String(body.id).replace("sched_", "late_") } };
    };
  }),
];
