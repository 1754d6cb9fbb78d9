import type { OperationId } from "../../../generated/operations.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import { type Allowed, type Effect, judge } from "./allowed.ts";
import { rejectionsOfAccess } from "./rules/access.ts";
import { getContact, unsubscribeContact, upsertContact } from "./rules/contacts.ts";
import { earlierRequest, repeated } from "./rules/idempotency.ts";
import { cancelEmail, getEmail, rescheduleEmail } from "./rules/messages.ts";
import { sendBatch, sendEmail } from "./rules/sending.ts";
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
};

/** The responses that the requirements allow for a request, after the requests that led to a world. */
function predict(world: World, request: ModelRequest, context: Context): Allowed[] {
  // Which of several errors is returned is unspecified.
  const rejections = rejectionsOfAccess(request, context);
  if (rejections.length > 0) return rejections;
  const fresh = rules[request.operation]?.(world, request, context) ?? [];
  const earlier = earlierRequest(world, request);
  return earlier === undefined ? fresh : repeated(world, request, earlier, context, fresh);
}

/** Compares the response to a request with those allowed, and returns the world after it. */
export function advance(world: World, request: ModelRequest, exchange: Exchange, context: Context): Effect {
  const effect = judge(world, predict(world, request, context), exchange);
  const isReplay = effect.world === world;
  // Whether errors are replayed is unspecified.
  if (request.idempotencyKey === undefined || isReplay || !isSuccess(exchange)) return effect;
  const keyed = [...effect.world.keyed, { request, exchange, at: context.now }];
  return { ...effect, world: { ...effect.world, keyed } };
}
