import { type OperationId, operations } from "../../generated/operations.ts";
import { accountOf } from "../engine/settings.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import { type Allowed, isError, judge, provenIf } from "./judge.ts";
import {
  idsOfKey,
  idsOfOthers,
  rejectionsOfAccess,
  rejectionsOfKey,
  repeated,
  replayFinding,
} from "./rules/access.ts";
import { getContact, unsubscribeContact, upsertContact } from "./rules/contacts.ts";
import { listing } from "./rules/lists.ts";
import { afterRejection, cancelEmail, getEmail, rescheduleEmail } from "./rules/messages.ts";
import { rejectionsOfBody, send } from "./rules/sending.ts";
import type { Context, Given, ModelRequest, ModelState } from "./state.ts";

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

/** The responses that the requirements allow for a request, after the requests that led to a state. */
function predict(given: Given): Allowed[] {
  // Which of several errors is returned is unspecified.
  const rejections = [...rejectionsOfKey(given), ...rejectionsOfAccess(given), ...rejectionsOfBody(given)];
  const responses = rules[given.operation]?.(given) ?? [];
  return repeated(given, rejections.length > 0 ? [...rejections, ...responses.filter(isError)] : responses);
}

/** Compares the response to a request with those allowed, and returns the state after it. */
export function advance(state: ModelState, request: ModelRequest, exchange: Exchange, context: Context) {
  const { path = {}, body = {}, key, idempotencyKey, account = accountOf(key) } = request;
  const given = { ...context, ...request, path, body, state, account };
  const more = [...idsOfKey(request), ...idsOfOthers(given)];
  const { state: judged, findings, ids } = judge(state, predict(given), exchange, more);
  const { method, product } = operations[request.operation];
  const isOther = method === "GET" || product !== "newsletter";
  const last = isOther ? state.last : { account: given.account, ids, list: body.list_id };
  const entry = { request, exchange, at: context.now };
  if (!isSuccess(exchange)) {
    const rejected = idempotencyKey === undefined ? judged.rejected : [...judged.rejected, entry];
    return { state: { ...afterRejection(judged, given), rejected, last }, findings };
  }
  const isReplay = judged === state;
  if (idempotencyKey === undefined || isReplay) return { state: { ...judged, last }, findings };
  const keyed = [...judged.keyed, entry];
  const isFresh = provenIf(false, replayFinding(exchange, false));
  return { state: { ...judged, keyed, last }, findings: [...findings, isFresh] };
}
