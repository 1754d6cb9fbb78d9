import { limits } from "../../generated/limits.ts";
import { repeatedAnew } from "../engine/cause.ts";
import { limitHeaders } from "../engine/rate-limiter.ts";
import { type Exchange, type Fault, isReplay, isSuccess, namedFields } from "../exchange.ts";
import type { Comparison, Ids } from "../model/judge.ts";
import { advance } from "../model/predict.ts";
import { messagesIn } from "../model/rules/allowance.ts";
import { rejectionsOfBody } from "../model/rules/sending.ts";
import { type Context, emptyState, hour, type Observed } from "../model/state.ts";
import { titleOf } from "../response-checks/check-response.ts";
import { isShape } from "../response-checks/encoded.ts";
import { mentions } from "../response-checks/faults.ts";
import { isWithin } from "../support/assertions.ts";
import { forget, learn } from "./learn.ts";
import { isSpecified, isUsualEmail } from "./specified.ts";
import { type Observation, type ObserverState, typeOf } from "./state.ts";
import { digestsOf, knownContact, modelBefore } from "./state-before.ts";

/** Compares a response with what the model of the service allows after the exchanges before, and learns from it. */
export function compare(state: ObserverState, one: Observation): void {
  const { exchange } = one;
  const specified = isBodySpecified(state, one);
  if (!isDecidable(state, one, specified)) {
    compareBody(state, one);
    if (isSuccess(exchange) || exchange.status >= 500) forget(state, one);
    learn(state, one, undefined);
    return;
  }
  const { state: model, findings } = advance(
    modelBefore(state, one),
    requestOf(one),
    exchange,
    modelContext(state, one, specified),
  );
  const { fields } = state.account(one.key.account).listings;
  // A cleared field may show its default value.
  const decided = findings.filter(({ ids }) => !ids.includes("CONT-13") || fields !== undefined);
  exchange.faults = [...(exchange.faults ?? []), ...replayFaults(exchange, decided)];
  report(state, one, decided);
  // What the server has now is not known.
  if (decided.some(({ failure }) => failure !== undefined)) forget(state, one);
  else learn(state, one, model);
}

/** What is wrong with a response that is to be a replay, or to be none: what it says then differs for the same reason. */
function replayFaults(exchange: Exchange, findings: readonly Comparison[]): Fault[] {
  const failed = findings.flatMap(({ ids, failure }) => (failure === undefined ? [] : ids));
  if (!failed.includes("IDEM-7")) return [];
  const missing = failed.includes("IDEM-1") ? repeatedAnew : "Replays lack the header idempotent-replayed";
  const cause = isReplay(exchange) ? "Requests that repeat no other one get a replay" : missing;
  return [{ cause, names: ["idempotent-replayed", "the body", "a new id", limitHeaders.allowance] }];
}

/** The requirements on the names in `error.fields`, of those that an invalid body violates: the others hold once it is rejected. */
const idsOfNames = (ids: Ids): Ids => ["ERR-10", ...ids.filter((id) => id === "BATCH-8")];

/** Finds an invalid body that was accepted, or not all of whose faults are named, which other requests in progress do not explain. */
export function compareBody(state: ObserverState, one: Observation): void {
  const { exchange } = one;
  if (!isBodySpecified(state, one)) return;
  const given = { ...requestOf(one), ...modelContext(state, one, true), state: emptyState };
  const rejections = rejectionsOfBody(given);
  const fail = (ids: Ids, failure: NonNullable<Comparison["failure"]>): void =>
    state.tally.fail(ids, titleOf(ids[0] ?? ""), failure, [exchange]);
  if (isSuccess(exchange))
    for (const { ids } of rejections)
      fail(ids, { expected: "422 invalid_request", found: String(exchange.status) });
  if (exchange.status !== 422 || typeOf(exchange) !== "invalid_request") return;
  const names = namedFields(exchange);
  const isIn = (name: string, fields: Ids): boolean => fields.some((own) => isWithin(name, own));
  for (const { ids, fields = [] } of rejections) {
    const missing = fields.filter((field) => !names.some((name) => isIn(name, field)));
    // An error about something else need not name them.
    if (missing.length > 0 && names.some((name) => isIn(name, fields.flat())))
      fail(idsOfNames(ids), { expected: `error.fields with ${missing.join()}`, found: names.join() });
  }
}

const isBodySpecified = (
  { fixtures }: ObserverState,
  { operation, body, exchange, time, key }: Observation,
): boolean =>
  // Only an unsubscribe needs no body, and whether it may be missing altogether is unspecified.
  (isSuccess(exchange) || operation !== "unsubscribeContact" || exchange.sent.text !== undefined) &&
  isSpecified(operation, body, {
    now: time.now,
    isRejected: !isSuccess(exchange),
    fixtures: key.account === "full" ? fixtures : {},
  });

const requestOf = ({ operation, key, path, body, idempotencyKey }: Observation) => ({
  operation,
  key: key.role,
  account: key.account,
  path,
  body,
  ...(idempotencyKey !== undefined && { idempotencyKey }),
});

function modelContext(state: ObserverState, { key, time }: Observation, isBodySpecified: boolean): Context {
  const { deadlines } = state;
  // Whether the lists of the configuration are those of the key is known of its keys only.
  const fixtures = key.isConfigured ? state.fixtures : { ...state.fixtures, lists: {} };
  const account = state.account(key.account);
  const { domains = {} } = fixtures;
  const isOfOther = (domain: string): boolean =>
    Object.entries(domains.ofRole ?? {}).some(([role, own]) => own === domain && role !== key.account) ||
    (key.account !== "full" &&
      [domains.verified, domains.restricted, domains.unfinished, domains.stopped].includes(domain));
  const observed: Observed = {
    isSender: (domain) =>
      account.senders.has(domain) ||
      // Nobody can have a domain that ends with .invalid (RFC 2606).
      !(key.isConfigured && (isOfOther(domain) || domain.endsWith(".invalid"))),
    isTemplate: (id) => id !== fixtures.unpublishedTemplate?.id,
    isValid: !isBodySpecified,
  };
  return { fixtures, deadlines, ...time, isShared: true, observed };
}

/** The requirements that depend on whether a list has double opt-in. */
const ofOptIn = ["MEMB-11", "MEMB-13"];

function report(state: ObserverState, one: Observation, findings: readonly Comparison[]): void {
  const { tally } = state;
  const { exchange, key, body } = one;
  const isListKnown = state.account(key.account).listings.lists?.some(({ id }) => id === body.list_id);
  const known =
    state.messages.get(one.message ?? "") ?? knownContact(state, one) ?? state.keyed.get(one.keyed ?? "");
  for (const { ids, failure, proven = ids } of findings) {
    if (failure === undefined)
      tally.pass(proven.filter((id) => isListKnown === true || !ofOptIn.includes(id)));
    else {
      const isOfNames = exchange.status === 422 && failure.expected.startsWith("error.fields ");
      const sorted = leadingFirst(isOfNames ? idsOfNames(ids) : ids, failure.expected);
      tally.fail(sorted, titleOf(sorted[0] ?? ""), failure, [...(known?.shown ?? []), exchange]);
    }
  }
}

/** The requirements of a failure, first those that say what happens to the property that is wrong: others say that it is there, or are about the whole. */
function leadingFirst(ids: Ids, expected: string): string[] {
  const [property = ""] = /^[a-z]\w+/.exec(expected) ?? [];
  const names = (id: string): boolean => mentions(titleOf(id), property);
  const rank = (id: string): number => (!names(id) ? 2 : isShape(id) ? 1 : 0);
  return ids.toSorted((one, other) => rank(one) - rank(other));
}

/** Errors that any request can get for what the traffic does not show: the key, the account, its plan, domains and limits. */
const unexplained = [401, 402, 403, 413, 429];

/** Whether all is known that the response to a request depends on. */
function isDecidable(state: ObserverState, one: Observation, isSpecified: boolean): boolean {
  const { exchange, operation, key } = one;
  if (operation === "getMe" || exchange.status >= 500 || exchange.status < 200) return false;
  if (!isReplayKnown(state, one)) return false;
  // A record names the role of a key, also without the configuration, which has its domain.
  const isDomainKnown = key.role !== "restricted" || state.fixtures.domains?.restricted !== undefined;
  if (!isDomainKnown && messagesIn(one).length > 0) return false;
  return isSuccess(exchange) || isErrorDecidable(state, one, isSpecified);
}

/** Whether the first request with the idempotency key is known, if there was one, and whether its body is the same. */
function isReplayKnown(state: ObserverState, one: Observation): boolean {
  const { exchange, keyed, time } = one;
  const isReplay = exchange.headers["idempotent-replayed"] !== undefined;
  const isConflict = typeOf(exchange) === "idempotency_conflict";
  const known = keyed === undefined ? undefined : state.keyed.get(keyed);
  // Another request may have used the key after it expired: one that was rejected, or to another path.
  const isOver = known !== undefined && time.now - known.at > limits.idempotencyWindow * hour;
  if (known === undefined || (isOver && isConflict))
    return (
      !(isReplay || isConflict) || (state.isAllTraffic && state.isWhole && keyed !== undefined && isReplay)
    );
  const { bytes, value } = digestsOf(one);
  // Whether a body in other bytes is the same is unspecified.
  return bytes === known.bytes || value !== known.value;
}

function isErrorDecidable(state: ObserverState, one: Observation, isSpecified: boolean): boolean {
  const { exchange, key } = one;
  const { status } = exchange;
  const type = typeOf(exchange);
  if (status === 429 && type === "rate_limited") return false;
  // A key can stop working at any time.
  const lasts = state.isAllTraffic && key.isConfigured && key.role !== "replaced";
  if (status === 401 && key.role !== "revoked" && !lasts) return false;
  // Servers may take the scheme literally.
  if (status === 401 && !/^Bearer \S+$/.test(exchange.sent.headers.authorization ?? "")) return false;
  // How large a message is as mail is not known: half of the limit, in bytes, is certainly less.
  if (status === 413 && (exchange.sent.text ?? "").length > limits.messageSize * 500_000) return false;
  if (unexplained.includes(status) || type === "send_rejected")
    return key.isConfigured && isSpecified && areSendersConfigured(state, one);
  // No operation has a query: a server may reject one.
  if (exchange.request.path.includes("?")) return false;
  if (status === 404) return isFoundKnown(state, one);
  if (status === 409)
    return type === "idempotency_conflict" || state.messages.get(one.message ?? "")?.isWhole === true;
  // What a malformed email address in a path leads to is unspecified.
  if (one.path.email !== undefined && !isUsualEmail(one.path.email)) return false;
  // An error that names no property need not be about the body.
  return isSpecified && namedFields(exchange).length > 0;
}

/** Whether the configuration says which account each sender belongs to. */
function areSendersConfigured({ fixtures }: ObserverState, one: Observation): boolean {
  const { domains = {} } = fixtures;
  const { verified, restricted, unfinished, stopped, ofRole = {} } = domains;
  const all = [verified, restricted, unfinished, stopped, ...Object.values(ofRole)];
  return messagesIn(one).every(({ from }) => all.includes(String(from).split("@")[1] ?? ""));
}

/** Whether something is known to exist that a response says does not. */
function isFoundKnown(state: ObserverState, one: Observation): boolean {
  const { operation, body, key } = one;
  if (one.message !== undefined) {
    const known = state.messages.get(one.message);
    const isAccountKnown =
      known?.message.account === key.account || (key.isConfigured && known?.isAccountKnown);
    return known !== undefined && isAccountKnown === true;
  }
  const contact = knownContact(state, one);
  if (operation === "getContact") return contact !== undefined;
  const account = state.account(key.account);
  const list = Number(body.list_id);
  const { lists = {} } = state.fixtures;
  const isConfigured = key.account === "full" && Object.values(lists).includes(list);
  const isListKnown =
    body.list_id === undefined || isConfigured || (state.isAllTraffic && account.lists.has(list));
  return isListKnown && (operation === "upsertContact" || contact?.contact !== undefined);
}
