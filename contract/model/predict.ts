import { type OperationId, operations } from "../../generated/operations.ts";
import { accountOf } from "../engine/settings.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import { type Allowed, isError, type Outcome } from "./allowed.ts";
import { provenIf } from "./findings.ts";
import { judge } from "./judge.ts";
import { idsOfKey, rejectionsOfAccess } from "./rules/access.ts";
import { getContact, unsubscribeContact, upsertContact } from "./rules/contacts.ts";
import { idsOfOthers, rejectionsOfKey, repeated, replayFinding } from "./rules/idempotency.ts";
import { listing } from "./rules/lists.ts";
import { afterRejection, cancelEmail, getEmail, rescheduleEmail } from "./rules/messages.ts";
import { send } from "./rules/sending.ts";
import { rejectionsOfBody } from "./rules/validity.ts";
import type { Context, Given, ModelRequest, World } from "./world.ts";

const rules: Partial<Record<OperationId, (given: Given) => Allowed[]>> = {
  sendEmail: send,
  sendBatch: send,
  getEmail,
  rescheduleEmail,
  cancelEmail,
  upsertContact,
  getContact,
  unsubscribeContact,
  listNewsletterLists: listing,
  listCustomFields: listing,
};

/** The responses that the requirements allow for a request, after the requests that led to a world. */
function predict(given: Given): Allowed[] {
  // Which of several errors is returned is unspecified.
  const rejections = [...rejectionsOfKey(given), ...rejectionsOfAccess(given), ...rejectionsOfBody(given)];
  const responses = rules[given.operation]?.(given) ?? [];
  return repeated(given, rejections.length > 0 ? [...rejections, ...responses.filter(isError)] : responses);
}

/** Compares the response to a request with those allowed, and returns the world after it. */
export function advance(world: World, request: ModelRequest, exchange: Exchange, context: Context): Outcome {
  const { path = {}, body = {}, key, idempotencyKey, account = accountOf(key) } = request;
  const given = { ...context, ...request, path, body, world, account };
  const more = [...idsOfKey(request), ...idsOfOthers(given)];
  const { world: judged, findings, ids } = judge(world, predict(given), exchange, more);
  const { method, product } = operations[request.operation];
  const isOther = method === "GET" || product !== "newsletter";
  const last = isOther ? world.last : { account: given.account, ids, list: body.list_id };
  // Whether errors are replayed is unspecified.
  if (!isSuccess(exchange)) return { world: { ...afterRejection(judged, given), last }, findings };
  const isReplay = judged === world;
  if (idempotencyKey === undefined || isReplay) return { world: { ...judged, last }, findings };
  const keyed = [...judged.keyed, { request, exchange, at: context.now }];
  const isFresh = provenIf(false, replayFinding(exchange, false));
  return { world: { ...judged, keyed, last }, findings: [...findings, isFresh] };
}
