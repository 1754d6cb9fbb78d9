import { isDeepStrictEqual } from "node:util";
import { limits } from "../../generated/limits.ts";
import { type OperationId, operations, type Product } from "../../generated/operations.ts";
import { accountOf, type Role } from "../engine/settings.ts";
import { type Exchange, errorOf, isReplay, isSuccess } from "../exchange.ts";
import {
  type Allowed,
  type Comparison,
  type Effect,
  equals,
  isError,
  judge,
  provenIf,
  rejected,
  rejections,
  success,
} from "./judge.ts";
import { messagesIn } from "./rules/allowance.ts";
import { getContact, unsubscribeContact, upsertContact } from "./rules/contacts.ts";
import { listing } from "./rules/lists.ts";
import { afterRejection, cancelEmail, getEmail, rescheduleEmail } from "./rules/messages.ts";
import { rejectionsOfBody, send } from "./rules/sending.ts";
import { type Context, type Given, hasPassed, hour, type ModelRequest, type ModelState } from "./state.ts";

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
    const all = idempotencyKey === undefined ? judged.rejected : [...judged.rejected, entry];
    return { state: { ...afterRejection(judged, given), rejected: all, last }, findings };
  }
  const isRepeated = judged === state;
  if (idempotencyKey === undefined || isRepeated) return { state: { ...judged, last }, findings };
  const isFresh = provenIf(false, replayFinding(exchange, false));
  return { state: { ...judged, keyed: [...judged.keyed, entry], last }, findings: [...findings, isFresh] };
}

/** What an accepted request by a key verifies, and what the key or its account lacks. */
const keys: Partial<Record<Role, { id?: string; ability?: string; lacks?: Product }>> = {
  second: { id: "AUTH-4" },
  otherAccount: { id: "AUTH-2" },
  sendOnly: { id: "AUTH-8", ability: "email:send" },
  readOnly: { id: "AUTH-9", ability: "newsletter:read" },
  manageOnly: { id: "AUTH-10", ability: "newsletter:manage" },
  noPlan: { id: "AUTH-21", lacks: "email" },
  noNewsletter: { lacks: "newsletter" },
};

/** The requirements on a key, if the operation is one that it is for. */
function idsOfKey({ key, operation }: ModelRequest): string[] {
  const { id, ability, lacks } = keys[key] ?? {};
  const { ability: needed, product } = operations[operation];
  return id === undefined || lacks === product || (ability ?? needed) !== needed ? [] : [id];
}

/** The errors that a request gets for its key or its account, and for the senders of its messages. */
function rejectionsOfAccess(given: Given): Allowed[] {
  const { key, operation } = given;
  const { ability, product } = operations[operation];
  const { ability: own = ability, lacks } = keys[key] ?? {};
  const { id = "" } = Object.values(keys).find((one) => one.ability === ability) ?? {};
  if (key === "revoked") return [rejected(["AUTH-14"], "401.unauthorized")];
  return [
    ...rejections(
      [own !== ability, ["AUTH-15", id], "403.forbidden"],
      [lacks === product, ["AUTH-16", lacks === "email" ? "AUTH-18" : "AUTH-20"], "402.no_plan"],
    ),
    ...messagesIn(given).flatMap(({ from }) => rejectionsOfSender(given, from)),
  ];
}

function rejectionsOfSender({ key, account, fixtures, observed }: Given, from: unknown): Allowed[] {
  const domain = /^[^\s<>@]+@([^\s<>@]+)$/.exec(String(from))?.[1];
  // Another value is invalid.
  if (domain === undefined) return [];
  const { verified, restricted, unfinished, stopped, ofRole } = fixtures.domains ?? {};
  const isMain = account === "full";
  const own = isMain ? [verified, restricted, unfinished, stopped] : [ofRole?.[key]];
  const isOwn = own.includes(domain) || observed?.isSender(domain) === true;
  return rejections(
    [key === "restricted" && domain !== restricted, ["AUTH-5", "AUTH-17"], "403.send_rejected"],
    [isMain && domain === unfinished, ["ERR-8"], "409.send_rejected"],
    [isMain && domain === stopped, ["ERR-9"], "409.send_rejected"],
    [key === "atCeiling", ["LIMIT-7"], "429.send_rejected"],
    // For a domain that the account does not have, which of the two is unspecified.
    [!isOwn, ["AUTH-17"], "403.send_rejected"],
    [!isOwn, ["ERR-11"], "422.send_rejected"],
  );
}

/** The status and the type of the error for a key that is too long are unspecified. */
const rejectionsOfKey = ({ idempotencyKey = "" }: Given): Allowed[] =>
  idempotencyKey.length > limits.idempotencyKeyLength ? [{ ids: ["IDEM-4"], status: "4XX" }] : [];

/** Another API key used the same idempotency key before, which means nothing for this one. */
const idsOfOthers = ({ state: { keyed }, key, idempotencyKey }: Given): string[] =>
  keyed.some(({ request: one }) => one.key !== key && one.idempotencyKey === idempotencyKey)
    ? ["IDEM-6"]
    : [];

/** A replayed response says so, and only a replayed one does. */
const replayFinding = (exchange: Exchange, isRepeated: boolean): Comparison =>
  equals(["IDEM-7"], "idempotent-replayed", isReplay(exchange), isRepeated);

/** The responses to a request that may have an idempotency key that was used before; `fresh` are those if it was not, or is no longer valid. */
function repeated({ state, key, idempotencyKey, body, now }: Given, fresh: Allowed[]): Allowed[] {
  if (idempotencyKey === undefined) return fresh;
  const isOver = ({ at }: { at: number }) => hasPassed(limits.idempotencyWindow * hour, now - at);
  const lastOf = (all: typeof state.keyed) =>
    all.findLast(
      (one) =>
        one.request.key === key && one.request.idempotencyKey === idempotencyKey && isOver(one) !== true,
    );
  const [earlier, rejection] = [lastOf(state.keyed), lastOf(state.rejected)];
  if (earlier === undefined) {
    if (rejection === undefined) return fresh;
    const { exchange, request } = rejection;
    // Whether a rejected request uses its key is unspecified.
    return isDeepStrictEqual(body, request.body)
      ? [{ ids: [], status: exchange.status, type: String(errorOf(exchange)?.type) }, ...fresh]
      : [...fresh, rejected([], "409.idempotency_conflict")];
  }
  const { status, json: first } = earlier.exchange;
  // The original response again. Nothing is sent and nothing is added.
  const compare: Effect = (json, exchange) => ({
    state,
    findings: [replayFinding(exchange, true), equals(["IDEM-1"], "the body", json, first)],
  });
  const isSame = isDeepStrictEqual(body, earlier.request.body);
  // Which of several errors is returned is unspecified.
  const conflict = [rejected(["IDEM-2"], "409.idempotency_conflict"), ...fresh.filter(isError)];
  const valid = isSame ? [success(["IDEM-1", "IDEM-8"], compare, status)] : conflict;
  if (isOver(earlier) === false) return valid;
  return [...valid.map((one) => ({ ...one, saysReplayed: isSame })), ...fresh];
}
