import { limits } from "../../generated/limits.ts";
import { operations } from "../../generated/operations.ts";
import type { Role } from "../engine/settings.ts";
import { limitHeaderOrNaN } from "../support/rate-limit.ts";
import type { KnownKey } from "./keys.ts";
import type { RateState, RateSteps, StepKind } from "./knowledge.ts";
import { shortened } from "./learn.ts";
import { type Observation, type ObserverContext, typeOf } from "./observation.ts";
import { rateName } from "./subjects.ts";

/** In milliseconds: a longer pause between two requests may be the start of another window. */
const longestPause = 1000;
/** How many steps are compared at least, and the share of them that shows a wrong count. */
const fewest = 9;
const share = 0.8;

const rules: Record<StepKind, { ids: readonly string[]; title: string }> = {
  same: { ids: ["HEAD-7"], title: "the remaining requests decrease with each request" },
  key: { ids: ["LIMIT-2"], title: "all keys of an account share one rate limit" },
  product: { ids: ["LIMIT-3"], title: "requests to all products share one rate limit" },
  batch: { ids: ["LIMIT-4"], title: "a batch counts as one request" },
};

const noSteps = (): RateSteps => ({
  same: { steps: 0, wrong: 0 },
  key: { steps: 0, wrong: 0 },
  product: { steps: 0, wrong: 0 },
  batch: { steps: 0, wrong: 0 },
});

/** Whether a rejected request counts is unspecified. */
export function forgetRate({ knowledge }: ObserverContext, { account }: KnownKey): void {
  const { rate } = knowledge.account(account);
  if (rate !== undefined) rate.remaining = Number.NaN;
}

/** Finds a request that was rejected although the response before, the last one to the account, says that more may follow. */
export function compareRejection(
  { knowledge, tally, isAllTraffic }: ObserverContext,
  one: Observation,
): void {
  const { exchange, time } = one;
  const before = knowledge.account(one.key.account).rate;
  if (typeOf(exchange) !== "rate_limited" || !isAllTraffic || before === undefined) return;
  if (!(before.remaining > 0) || isApart(one, before, { at: time.now, start: exchange.startedAt })) return;
  tally.fail(
    ["LIMIT-1"],
    "a request is not rejected before the rate limit is reached",
    { expected: `a response, with ${before.remaining} requests left`, found: "429 rate_limited" },
    [before.last, shortened(exchange)],
  );
}

/** Compares the headers of the rate limit with those of the response before. */
export function compareRate({ knowledge, tally, isAllTraffic }: ObserverContext, one: Observation): void {
  const { exchange, key } = one;
  const account = knowledge.account(key.account);
  const [limit, remaining] = [limitHeaderOrNaN(exchange, "limit"), limitHeaderOrNaN(exchange, "left")];
  const before = account.rate;
  const state: RateState = {
    limit,
    remaining,
    at: one.time.now,
    start: exchange.startedAt,
    end: exchange.startedAt + exchange.milliseconds,
    key: key.role,
    product: operations[one.operation].product,
    steps: before?.steps ?? noSteps(),
    last: shortened(exchange),
  };
  account.rate = state;
  if (Number.isNaN(limit) || Number.isNaN(remaining)) return;
  if (before === undefined || Number.isNaN(before.remaining) || isApart(one, before, state)) return;
  const shown = [before.last, state.last];
  if (before.limit === limit) tally.pass(["HEAD-6"]);
  // The documented limit is right in any case.
  else if (limit === limits.requestsPerMinute || before.limit === limits.requestsPerMinute) return;
  else {
    const failure = { expected: `${before.limit}`, found: `${limit}` };
    tally.fail(["HEAD-6", "LIMIT-2"], "the rate limit stays the same", failure, shown);
  }
  const kind = kindOf(one, before, key.role);
  const count = state.steps[kind];
  const isRight = isAllTraffic ? remaining === before.remaining - 1 : remaining < before.remaining;
  count.steps += 1;
  if (isRight) tally.pass(rules[kind].ids);
  else count.wrong += 1;
  if (count.steps < fewest) return;
  if (count.wrong >= share * count.steps) {
    const found = `${count.wrong} of ${count.steps} steps with another count`;
    tally.fail(rules[kind].ids, rules[kind].title, { expected: "1 less with each request", found }, shown);
  }
  state.steps = { ...state.steps, [kind]: { steps: 0, wrong: 0 } };
}

const isApart = (one: Observation, before: RateState, state: Pick<RateState, "at" | "start">): boolean =>
  one.crowded.has(rateName(one)) ||
  before.end > state.start ||
  state.start - before.end > longestPause ||
  Math.abs(state.at - before.at) > 2 * longestPause;

function kindOf({ operation, body }: Observation, before: RateState, key: Role): StepKind {
  if (key !== before.key) return "key";
  if (operation === "sendBatch" && Array.isArray(body.emails) && body.emails.length > 1) return "batch";
  return operations[operation].product === before.product ? "same" : "product";
}
