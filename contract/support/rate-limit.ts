import { limits } from "../../generated/limits.ts";
import { type OperationId, operations } from "../../generated/operations.ts";
import { assert, NotVerified, OutsideRun } from "../engine/assert.ts";
import type { Need } from "../engine/check.ts";
import { integerHeader, limitHeaders as names } from "../engine/rate-limiter.ts";
import { missingNeeds } from "../engine/run-case.ts";
import { isInRun, type Role, type Settings } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange, RequestOptions } from "../exchange.ts";
import { requestOk } from "./assertions.ts";
import { batchOf, message } from "./messages.ts";
import { lightestOperation, needsOf, validRequest } from "./requests.ts";

export function limitHeader(exchange: Exchange, name: keyof typeof names): number {
  const number = integerHeader(exchange, name);
  assert(!Number.isNaN(number), exchange, {
    expected: `${names[name]} with an integer`,
    found: exchange.headers[names[name]] ?? "no such header",
  });
  return number;
}

export const quotaRemaining = (exchange: Exchange): number => limitHeader(exchange, "allowance");

/** A remaining monthly allowance that is wrong, and the right one, with the numbers of recipients counted; `what` says which. */
export const quotaFailure = (
  { before, expected, found }: { before: number; expected: number | string; found: number },
  recipients: number | string,
  what = "",
) => ({
  expected: `${names.allowance} ${expected}: ${before} before, less ${recipients}${what && ` (${what})`}`,
  found: `${names.allowance} ${found}: ${found > before ? `${found - before} more than before` : `${before - found} counted`}`,
});

/** Asserts how much quota was used since an earlier response: so much, or at most so much. */
export function assertQuotaUsed(exchange: Exchange, earlier: Exchange, used: number, isMost = false): void {
  const [before, found] = [quotaRemaining(earlier), quotaRemaining(exchange)];
  const expected = before - used;
  const isRight = isMost ? found >= expected : found === expected;
  assert(isRight, exchange, quotaFailure({ before, expected, found }, used));
}

/** A request, between two identical small requests. */
type Step = Record<"before" | "made" | "after", Exchange>;

type StepName = "account" | "newsletter" | "email" | "batch" | "second" | "otherAccount" | "otherNewsletter";

/** Requests that each count once toward the rate limit of one account, and those of another account that do not. */
const stepRequests: Record<StepName, { operation: OperationId; needs?: readonly Need[]; key?: Role }> = {
  account: { operation: "getMe" },
  newsletter: { operation: "listNewsletterLists" },
  email: { operation: "getEmail" },
  batch: { operation: "sendBatch" },
  second: { operation: "getMe", key: "second" },
  otherAccount: { operation: "getMe", key: "otherAccount" },
  otherNewsletter: { operation: "listNewsletterLists", key: "otherAccount", needs: ["lists.otherAccount"] },
};
const steps = Object.keys(stepRequests) as StepName[];

/** The operation of a step: another one if `getMe` is missing. */
const operationOf = (tester: Tester, name: StepName): OperationId => {
  const { operation } = stepRequests[name];
  return operation === "getMe" ? lightestOperation(tester) : operation;
};

const countOf = (name: StepName): 0 | 1 => (stepRequests[name].key === "otherAccount" ? 0 : 1);

/** The steps of one sequence, without those that lack a fixture. */
type RequestSequence = Partial<Record<StepName, Step>>;

/**
 * The minimum number of sequences that must show a wrong count. Few enough to stay within the rate limit, enough to
 * exclude coincidental requests of others.
 */
const fewest = 9;

/** The share of the sequences that must show the same wrong count. */
const most = 0.8;

/** The mean pause between requests of a repeated sequence, in milliseconds. */
const usualPause = 100;

/**
 * Sequences of requests to all products and with two keys of one account. They are repeated if the minute turned or
 * others used the account.
 */
const requestSequences = (tester: Tester): Promise<RequestSequence[]> =>
  tester.once("sequences of requests", async (own) => {
    const sequences: RequestSequence[] = [];
    const another = async (): Promise<RequestSequence> => {
      // Another run may send the same sequence; random pauses keep the two from interleaving the same way each time.
      const pause = sequences.length === 0 ? undefined : () => own.run.time.wait(anyPause());
      const made = await requestSequence(own, pause);
      sequences.push(made);
      return made;
    };
    await own.until(another, isRight, own.settings.deadlines.dispatch, 1000);
    while (sequences.length < fewest && !isRight(sequences.at(-1))) await another();
    return sequences;
  });

const isRight = (sequence: RequestSequence = {}): boolean =>
  steps.every((name) => {
    const step = sequence[name];
    return step === undefined || decrease(step, "after") === countOf(name) + 1;
  });

const anyPause = (): number => Math.min(1000, -Math.log(1 - Math.random()) * usualPause);

async function requestSequence(tester: Tester, pause: () => Promise<void> = async () => {}) {
  const sequence: RequestSequence = {};
  const parts = new Map<StepName, RequestOptions>();
  for (const name of steps) {
    const { key, needs: own = [] } = stepRequests[name];
    const operation = operationOf(tester, name);
    const needs = [...own, ...needsOf(operation), ...(key === undefined ? [] : [`keys.${key}` as const])];
    if (lackOf(tester.settings, name) !== undefined || missingNeeds(tester.settings, needs).length > 0)
      continue;
    const options = name === "batch" ? { body: largeBatch(tester) } : await validRequest(tester, operation);
    parts.set(name, { ...options, ...(key === undefined ? {} : { key }) });
  }
  await pause();
  const small = lightestOperation(tester);
  const sendSmall = async () => requestOk(tester, small, await validRequest(tester, small));
  let before = await sendSmall();
  for (const [name, options] of parts) {
    await pause();
    const made = await requestOk(tester, operationOf(tester, name), options);
    await pause();
    const after = await sendSmall();
    sequence[name] = { before, made, after };
    before = after;
  }
  return sequence;
}

/** The largest one in profiles that have the time. */
const largeBatch = (tester: Tester) => {
  const length = tester.settings.profile === "core" ? 3 : limits.batchMessages;
  return batchOf(...Array.from({ length }, () => message(tester)));
};

/** How far the remaining requests decreased up to a response of a step. */
const decrease = (step: Step, upTo: "made" | "after"): number =>
  limitHeader(step.before, "left") - limitHeader(step[upTo], "left");

/** The steps that any other request can be compared with. */
const anywhere: readonly StepName[] = ["account", "second", "batch"];

/** The operation outside the run that a step needs: its own, or `getMe` to compare it with one of another product or account. */
export function lackOf(settings: Settings, name: StepName): OperationId | undefined {
  const { operation, key } = stepRequests[name];
  if (operation !== "getMe" && !isInRun(settings, operation)) return operation;
  const small = operations[lightestOperation({ settings })];
  const isOther =
    key === "otherAccount" ? small.method === "GET" : small.product !== operations[operation].product;
  return isOther || anywhere.includes(name) ? undefined : "getMe";
}

/** Asserts that the request of a step counted once, or not at all if it is one of another account, and the one after it once. */
export async function assertCounts(tester: Tester, name: StepName): Promise<void> {
  const lack = lackOf(tester.settings, name);
  if (lack !== undefined) throw new OutsideRun(lack);
  assertDecrease(await requestSequences(tester), name, "after", countOf(name) === 0 ? 1 : 2);
}

/** Asserts that the response of each step that counts reports one less than the one before. */
export async function assertEachOneLess(tester: Tester): Promise<void> {
  const sequences = await requestSequences(tester);
  for (const name of steps) if (countOf(name) === 1) assertDecrease(sequences, name, "made", 1);
}

/**
 * Asserts how far the remaining requests decrease within a step.
 * @throws AssertionFailure if most sequences show the same wrong number, NotVerified if they differ
 */
function assertDecrease(
  sequences: readonly RequestSequence[],
  name: StepName,
  upTo: "made" | "after",
  made: 1 | 2,
): void {
  const found = sequences.flatMap(({ [name]: step }) =>
    step === undefined ? [] : [{ step, fall: decrease(step, upTo) }],
  );
  const ofFall = Object.values(Object.groupBy(found, ({ fall }) => fall));
  const often = ofFall.toSorted((one = [], other = []) => other.length - one.length)[0] ?? [];
  const last = often.at(-1);
  if (last === undefined || found.filter(({ fall }) => fall === made).length === often.length) return;
  if (often.length < most * found.length)
    throw new NotVerified(
      `Others use this account: the remaining requests decreased by ${found.map(({ fall }) => fall).join(", ")}.`,
    );
  const start = limitHeader(last.step.before, "left");
  assert(false, last.step[upTo], {
    expected: `${names.left} ${start - made} after ${made === 1 ? "one request" : "two requests"} at ${start}`,
    found: `${start - last.fall}, the same in ${often.length} of ${found.length} attempts`,
  });
}
