import { limits } from "../../generated/limits.ts";
import { operations } from "../../generated/operations.ts";
import { isObject } from "../../lib/objects.ts";
import { integerHeader } from "../engine/rate-limiter.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import { countTowardQuota, entriesOf, messagesIn, settled } from "../model/rules/allowance.ts";
import {
  canBeginMonth,
  day,
  emptyState,
  entriesIn,
  type Given,
  type Json,
  type Message,
  timeOf,
  wasSent,
} from "../model/state.ts";
import { quotaFailure } from "../support/rate-limit.ts";
import type { KnownKey } from "./keys.ts";
import {
  type KnownAccount,
  type KnownMessage,
  type Observation,
  type ObserverState,
  type StepKind,
  typeOf,
} from "./state.ts";
import { allowanceName, rateName } from "./subjects.ts";
import { shortened } from "./tally.ts";

/** Compares the headers of rate limit and quota with those of earlier responses of the account. */
export function compareLimits(state: ObserverState, one: Observation): void {
  if (!isSuccess(one.exchange)) {
    compareRejection(state, one);
    if (one.operation.startsWith("send")) compareRejectedSends(state, one);
    // It may have been performed; a scheduled message then counts later.
    if (one.exchange.status >= 500) forgetLimits(state, one.key, scheduledIn(one));
    // Whether a rejected request counts is unspecified.
    state.account(one.key.account).rated = undefined;
    return;
  }
  compareRate(state, one);
  if (one.operation === "sendEmail" || one.operation === "sendBatch") compareAllowance(state, one);
}

/** Forgets the numbers of an account: something may have changed them. */
export function forgetLimits(state: ObserverState, key: KnownKey, exchange?: Exchange): void {
  const account = state.account(key.account);
  account.rated = undefined;
  account.allowance = undefined;
  account.lastSend = undefined;
  if (exchange === undefined || !/^(send|reschedule)/.test(exchange.request.operation ?? "")) return;
  const { body } = exchange.request;
  const dueAt = isObject(body) ? timeOf(body.scheduled_at) : Number.POSITIVE_INFINITY;
  forgetUntil(state, account, Math.max(dueAt || 0, exchange.startedAt));
}

/** Something that is not known may count until this time. */
function forgetUntil({ deadlines }: ObserverState, account: KnownAccount, time: number): void {
  account.unknownUntil = Math.max(account.unknownUntil, time + deadlines.dispatch * 1000 + day);
}

/** The exchange, if it sends a message later. */
const scheduledIn = ({ exchange, body }: Observation): Exchange | undefined =>
  body.scheduled_at === undefined ? undefined : exchange;

/** The most messages from which the used quota is computed. */
const most = 60;

/** How long after sends at the same time the quota of an account is not compared, in milliseconds: what they led to may not have been counted yet. */
const quietPeriod = 600_000;

/** All sends of an account share its quota: they are compared only if none of them overlap. */
function compareAllowance(state: ObserverState, one: Observation): void {
  const { exchange, key } = one;
  const account = state.account(key.account);
  if (isUnsafe(account, one)) account.allowance = undefined;
  if (exchange.headers["idempotent-replayed"] !== undefined) return;
  const before = allowanceBefore(account, state, one);
  const added = addedBy(state, one);
  const messages = [...(before?.messages ?? waitingOf(account, state, one)), ...added];
  for (const message of added) if (message && message.kind !== "immediate") account.waiting.add(message.id);
  const known = messages.filter((message) => message !== undefined);
  const isKnown = known.length === messages.length && !Number.isNaN(integerHeader(exchange, "allowance"));
  if (known.length < messages.length) forgetLimits(state, key, scheduledIn(one));
  account.allowance = isKnown
    ? allowanceAfter(state, one, { messages: known, allowances: before?.allowances })
    : undefined;
  account.lastSend = shortened(exchange);
}

/** Whether sends at the same time, or another month, hide what the quota was. */
function isUnsafe(account: KnownAccount, one: Observation): boolean {
  const { time, concurrent } = one;
  const { readAt } = account;
  if (concurrent.has(allowanceName(one))) account.concurrentAt = time.now;
  account.readAt = time.sentAt;
  const isOtherMonth = canBeginMonth(Math.min(readAt, time.sentAt), Math.max(readAt, time.now));
  return time.now - account.concurrentAt < quietPeriod || isOtherMonth;
}

/** Compares the quota that remains. @returns what is known of it afterwards; undefined if that is nothing */
function allowanceAfter(
  state: ObserverState,
  one: Observation,
  { messages, allowances }: { messages: Message[]; allowances: Given["state"]["allowances"] | undefined },
): KnownAccount["allowance"] {
  const { fixtures, deadlines, isAllTraffic } = state;
  const { exchange, key, time } = one;
  const { account } = key;
  const known = state.account(account);
  // Others may send with the account, too.
  const isWhole = isAllTraffic && known.unknownUntil < time.now;
  const others = { account, recipients: Number.POSITIVE_INFINITY, dueAt: 0 };
  const pending = allowances === undefined || isWhole ? [] : [others];
  const model = { ...emptyState, messages, pending, allowances: allowances ?? new Map() };
  const context = { key: key.role, account, fixtures, deadlines, isShared: false, state: model };
  const given = { ...one, ...time, ...context } as unknown as Given;
  const { state: after, findings } = countTowardQuota(given, exchange);
  // The quota may have been renewed, or changed with the plan.
  const { total, first = 0 } = allowances?.get(account) ?? {};
  const isReset = integerHeader(exchange, "quota") !== total || integerHeader(exchange, "allowance") > first;
  const shown = [...(known.lastSend ? [known.lastSend] : []), exchange];
  for (const { ids, failure, proven = ids } of findings)
    if (failure === undefined) state.tally.pass(proven);
    else if (isWhole || !isReset) state.tally.fail(ids, "the quota that remains", failure, shown);
  if (findings.some(({ failure }) => failure !== undefined) || messages.length > 2 * most) return undefined;
  return settled({ messages, allowances: after.allowances }, { account, fixtures });
}

/** Finds a quota that falls from one rejected send to the next, by more than the messages that may be sent explain. */
function compareRejectedSends(state: ObserverState, one: Observation): void {
  const { exchange, key, time, concurrent } = one;
  const account = state.account(key.account);
  const before = account.lastSend;
  const isQuiet = !concurrent.has(allowanceName(one)) && time.now - account.concurrentAt >= quietPeriod;
  const waiting = [...account.waiting].map((id) => state.messages.peek(id)?.message.sent);
  const isKnown = account.unknownUntil < time.now && waiting.length < most && !waiting.includes(undefined);
  // A request that ends in a server failure may have been performed.
  const isSafe = isQuiet && isKnown && state.isAllTraffic && exchange.status < 500;
  account.lastSend = isSafe ? shortened(exchange) : undefined;
  // Errors of another kind may be those of a gateway, which knows no quota.
  if (!isSafe || before?.status !== exchange.status) return;
  const [total, totalFound] = [before, exchange].map((each) => integerHeader(each, "quota"));
  const [left = 0, found = 0] = [before, exchange].map((each) => integerHeader(each, "allowance"));
  const mayCount = waiting.flatMap((sent = {}) => entriesOf(sent)).length;
  if (total !== totalFound || !(found < left - mayCount)) return;
  const failure = quotaFailure({ before: left, expected: left, found }, 0, "rejected requests");
  state.tally.fail(["HEAD-4", "LIMIT-5"], "the quota that remains", failure, [before, exchange]);
}

/** The messages so far, as they are now; undefined if one is no longer known. */
function allowanceBefore({ allowance }: KnownAccount, state: ObserverState, one: Observation) {
  const { messages = [] } = allowance ?? {};
  const known = messages.flatMap(({ id }) => messageBefore(state.messages.peek(id), one) ?? []);
  return allowance && known.length === messages.length ? { ...allowance, messages: known } : undefined;
}

/** A message as it was before a request: what a later response shows of it may have happened in between. */
function messageBefore(known: KnownMessage | undefined, { exchange, precision }: Observation) {
  if (known === undefined) return undefined;
  const { message, shown } = known;
  const last = shown.at(-1);
  const end = last === undefined ? 0 : last.startedAt + last.milliseconds;
  return end + 2 * precision <= exchange.startedAt ? message : { ...message, record: undefined };
}

/** The messages that may be sent from now on, as they are now. */
function waitingOf(account: KnownAccount, state: ObserverState, one: Observation): Message[] {
  return [...account.waiting].flatMap((id) => {
    const message = messageBefore(state.messages.get(id), one);
    const isOver = message === undefined || message.isCanceled || wasSent(message.record);
    if (isOver || account.waiting.size > most) account.waiting.delete(id);
    // One that is forgotten may count yet.
    if (message && !isOver && account.waiting.size >= most) forgetUntil(state, account, message.dueAt ?? 0);
    return isOver ? [] : [message];
  });
}

function addedBy(state: ObserverState, one: Observation): (Message | undefined)[] {
  const json: Json = isObject(one.exchange.json) ? one.exchange.json : {};
  const entries = one.operation === "sendBatch" ? entriesIn(json.data) : [json];
  if (entries.length !== messagesIn(one).length) return [undefined];
  return entries.map(({ id }) => (typeof id === "string" ? state.messages.get(id)?.message : undefined));
}

/** In milliseconds: a longer pause between two requests may be the start of another window. */
const longestPause = 1000;
/** In milliseconds. */
const rateWindow = 60_000;
/** The most requests of a window that are remembered: the more, the more is found. */
const mostInWindow = 256;
/** How many steps are compared at least, and the share of them that shows a wrong count. */
const fewest = 9;
const share = 0.8;

const rules: Record<StepKind, { ids: readonly string[]; title: string }> = {
  same: { ids: ["HEAD-7"], title: "the remaining requests decrease with each request" },
  key: { ids: ["LIMIT-2"], title: "all keys of an account share one rate limit" },
  product: { ids: ["LIMIT-3"], title: "requests to all products share one rate limit" },
  batch: { ids: ["LIMIT-4"], title: "a batch counts as one request" },
};

/** Finds a request that was rejected although the response before, the last one to the account, says that more may follow. */
function compareRejection(state: ObserverState, one: Observation): void {
  const { exchange, key } = one;
  const before = state.account(key.account).rated;
  if (typeOf(exchange) !== "rate_limited" || !state.isAllTraffic || before === undefined) return;
  const left = integerHeader(before.exchange, "left");
  if (!(left > 0) || isApart(one, before)) return;
  const title = "a request is not rejected before the rate limit is reached";
  const failure = { expected: `a response, with ${left} requests left`, found: "429 rate_limited" };
  state.tally.fail(["LIMIT-1"], title, failure, [before.exchange, exchange]);
}

/** Compares the headers of the rate limit with those of the response before. */
function compareRate(state: ObserverState, one: Observation): void {
  const { tally, isAllTraffic } = state;
  const { time, key, operation } = one;
  const account = state.account(key.account);
  const before = account.rated;
  const exchange = shortened(one.exchange);
  // Which of several responses at the same time came first is not known.
  account.rated = one.concurrent.has(rateName(one)) ? undefined : { exchange, time, key, operation };
  const seen = requestsInWindow(account, time.now);
  account.startedAt.push(time.now - exchange.milliseconds);
  if (before === undefined || isApart(one, before)) return;
  const shown = [before.exchange, exchange];
  const [limitBefore = 0, limit = 0] = shown.map((each) => integerHeader(each, "limit"));
  const [leftBefore = 0, left = 0] = shown.map((each) => integerHeader(each, "left"));
  if (Number.isNaN(limitBefore + limit + leftBefore + left)) return;
  if (limitBefore === limit) tally.pass(["HEAD-6"]);
  // The documented limit is right in any case.
  else if (limit === limits.requestsPerMinute || limitBefore === limits.requestsPerMinute) return;
  else {
    const failure = { expected: `${limitBefore}`, found: `${limit}` };
    tally.fail(["HEAD-6", "LIMIT-2"], "the rate limit stays the same", failure, shown);
  }
  const kind = kindOf(one, before);
  const { ids, title } = rules[kind];
  const count = account.steps.get(kind) ?? { steps: 0, wrong: 0 };
  account.steps.set(kind, count);
  const isRight = isAllTraffic ? left === leftBefore - 1 : left < leftBefore;
  // Each request that leaves the window, be it one that was not seen, adds to those that remain. Those in the window count in any case.
  if (!isRight && left >= leftBefore && limit - leftBefore >= seen) return;
  count.steps += 1;
  if (isRight) tally.pass(ids);
  else count.wrong += 1;
  if (count.steps < fewest) return;
  if (count.wrong >= share * count.steps) {
    const found = `${count.wrong} of ${count.steps} steps with another count`;
    tally.fail(ids, title, { expected: "1 less with each request", found }, shown);
  }
  account.steps.delete(kind);
}

/** How many requests are certainly in the rate window, as far as they were seen; forgets those that have left it. */
function requestsInWindow(account: KnownAccount, now: number): number {
  const isInWindow = (at: number): boolean => Math.abs(now - at) < rateWindow - 2 * longestPause;
  account.startedAt = account.startedAt.filter(isInWindow).slice(-mostInWindow);
  return account.startedAt.length;
}

type Rated = NonNullable<KnownAccount["rated"]>;

function isApart(one: Observation, { exchange, time }: Rated): boolean {
  const pause = one.exchange.startedAt - exchange.startedAt - exchange.milliseconds;
  const isPause = pause > longestPause || Math.abs(one.time.now - time.now) > 2 * longestPause;
  return one.concurrent.has(rateName(one)) || pause < 0 || isPause;
}

function kindOf({ operation, body, key }: Observation, before: Rated): StepKind {
  if (key.role !== before.key.role) return "key";
  if (operation === "sendBatch" && Array.isArray(body.emails) && body.emails.length > 1) return "batch";
  return operations[operation].product === operations[before.operation].product ? "same" : "product";
}
