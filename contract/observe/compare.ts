import { requirements } from "../../generated/requirements.ts";
import { isSuccess } from "../exchange.ts";
import type { Finding } from "../model/findings.ts";
import { advance } from "../model/predict.ts";
import { rejectionsOfBody } from "../model/rules/validity.ts";
import { type Context, emptyWorld, type Observed } from "../model/world.ts";
import { isDecidable } from "./decidable.ts";
import { forget, learn, shortened } from "./learn.ts";
import type { Observation, ObserverContext } from "./observation.ts";
import { isSpecified } from "./specified.ts";
import { knownContact, worldBefore } from "./world-before.ts";

/** Compares a response with what the model of the service allows after the exchanges before, and learns from it. */
export function compare(context: ObserverContext, one: Observation): void {
  const { exchange } = one;
  const specified = isBodySpecified(context, one);
  if (!isDecidable(context, one, specified)) {
    if (isSuccess(exchange) || exchange.status >= 500) forget(context, one);
    learn(context, one, undefined);
    return;
  }
  const before = worldBefore(context, one);
  const { world, findings } = advance(
    before,
    requestOf(one),
    exchange,
    modelContext(context, one, specified),
  );
  const decided = findings.filter((finding) => isDecided(context, one, finding));
  const failures = decided.filter(({ failure }) => failure !== undefined);
  report(context, one, decided);
  // What the server has now is not known.
  if (failures.length > 0) forget(context, one);
  else learn(context, one, world);
}

/** Finds an invalid body that was accepted, which other requests in progress about the same do not explain. */
export function compareBody(context: ObserverContext, one: Observation): void {
  const { exchange } = one;
  if (!isSuccess(exchange) || !isBodySpecified(context, one)) return;
  const given = { ...requestOf(one), ...modelContext(context, one, true), world: emptyWorld };
  for (const { ids } of rejectionsOfBody(given)) {
    const failure = { expected: "422 invalid_request", found: String(exchange.status) };
    context.tally.fail(ids, titleOf(ids), failure, [shortened(exchange)]);
  }
}

const isBodySpecified = (
  { fixtures }: ObserverContext,
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

function modelContext(context: ObserverContext, one: Observation, isBodySpecified: boolean): Context {
  const { deadlines } = context;
  const { key, time } = one;
  // Whether the lists of the configuration are those of the key is known of its keys only.
  const fixtures = key.isAccountKnown ? context.fixtures : { ...context.fixtures, lists: {} };
  const account = context.knowledge.account(key.account);
  const { domains = {} } = fixtures;
  const isOfOther = (domain: string): boolean =>
    Object.entries(domains.ofRole ?? {}).some(([role, own]) => own === domain && role !== key.account) ||
    (key.account !== "full" &&
      [domains.verified, domains.restricted, domains.unfinished, domains.stopped].includes(domain));
  const observed: Observed = {
    isSender: (domain) =>
      account.senders.has(domain) || !(key.isConfigured && (isOfOther(domain) || isReserved(domain))),
    isTemplate: (id) => id !== fixtures.unpublishedTemplate?.id,
    isValid: !isBodySpecified,
  };
  return { fixtures, deadlines, ...time, isShared: true, observed };
}

/** A domain that nobody can have (RFC 2606). */
const isReserved = (domain: string): boolean => domain.endsWith(".invalid");

/** Whether all is known that a comparison depends on. */
function isDecided(context: ObserverContext, one: Observation, { ids }: Finding): boolean {
  const account = context.knowledge.account(one.key.account);
  // A cleared field may show its default value.
  if (ids.includes("CONT-13") && account.listings.fields === undefined) return false;
  return true;
}

/** The requirements that depend on whether a list has double opt-in. */
const ofOptIn = ["MEMB-11", "MEMB-13"];

function report(context: ObserverContext, one: Observation, findings: readonly Finding[]): void {
  const { tally, knowledge } = context;
  const { exchange, key, body } = one;
  const shown = findings.some(({ failure }) => failure) ? shortened(exchange) : exchange;
  const isListKnown = knowledge.account(key.account).listings.lists?.some(({ id }) => id === body.list_id);
  const last =
    (one.message === undefined ? undefined : knowledge.messages.get(one.message)?.last) ??
    knownContact(context, one)?.last ??
    (one.keyed === undefined ? undefined : knowledge.keyed.get(one.keyed)?.last);
  for (const { ids, failure, proven = ids } of findings) {
    if (failure === undefined)
      tally.pass(proven.filter((id) => isListKnown === true || !ofOptIn.includes(id)));
    else tally.fail(ids, titleOf(ids), failure, last === undefined ? [shown] : [last, shown]);
  }
}

const texts: Record<string, { text: string }> = requirements;

/** The text of the first requirement as the title of a check. */
const titleOf = ([id = ""]: readonly string[]): string => (texts[id]?.text ?? id).replace(/\.$/, "");
