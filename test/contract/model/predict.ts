import { type OperationId, operations } from "../../../generated/operations.ts";
import { accountOf } from "../engine/settings.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import { type Allowed, type Effect, isError, judge } from "./allowed.ts";
import { idsOfKey, rejectionsOfAccess } from "./rules/access.ts";
import { getContact, unsubscribeContact, upsertContact } from "./rules/contacts.ts";
import {
  earlierRequest,
  idsOfOthers,
  rejectionsOfKey,
  repeated,
  replayFinding,
} from "./rules/idempotency.ts";
import { listCustomFields, listNewsletterLists } from "./rules/lists.ts";
import { cancelEmail, getEmail, rescheduleEmail } from "./rules/messages.ts";
import { sendBatch, sendEmail } from "./rules/sending.ts";
import { rejectionsOfBody } from "./rules/validity.ts";
import type { Context, ModelRequest, World } from "./world.ts";

type Rule = (world: World, request: ModelRequest, context: Context) => Allowed[];

const rules: Partial<Record<OperationId, Rule>> = {
  sendEmail,
  sendBatch,
  getEmail,
  rescheduleEmail,
  cancelEmail,
  upsertContact,
  getContact,
  unsubscribeContact,
  listNewsletterLists,
  listCustomFields,
};

/** The responses that the requirements allow for a request, after the requests that led to a world. */
function predict(world: World, request: ModelRequest, context: Context): Allowed[] {
  // Which of several errors is returned is unspecified.
  const rejections = [
    ...rejectionsOfKey(request),
    ...rejectionsOfAccess(request, context),
    ...rejectionsOfBody(request, context),
  ];
  const responses = rules[request.operation]?.(world, request, context) ?? [];
  const fresh = rejections.length > 0 ? [...rejections, ...responses.filter(isError)] : responses;
  const earlier = earlierRequest(world, request);
  return earlier === undefined ? fresh : repeated(world, request, earlier, context, fresh);
}

/** Compares the response to a request with those allowed, and returns the world after it. */
export function advance(world: World, request: ModelRequest, exchange: Exchange, context: Context): Effect {
  const allowed = predict(world, request, context);
  const more = [...idsOfKey(request.key), ...idsOfOthers(world, request)];
  const { world: after, findings, ids } = judge(world, allowed, exchange, more);
  const isRead = operations[request.operation].method === "GET";
  const last = isRead ? world.last : { account: accountOf(request.key), ids };
  const isReplay = after === world;
  // Whether errors are replayed is unspecified.
  if (request.idempotencyKey === undefined || isReplay || !isSuccess(exchange))
    return { world: { ...after, last }, findings };
  const keyed = [...after.keyed, { request, exchange, at: context.now }];
  return { world: { ...after, keyed, last }, findings: [...findings, replayFinding(exchange, false)] };
}
