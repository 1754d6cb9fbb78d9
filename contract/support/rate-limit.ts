import type { OperationId } from "../../generated/operations.ts";
import { document, headerName } from "../document.ts";
import { assert, NotVerified } from "../engine/assert.ts";
import type { Need } from "../engine/check.ts";
import { missingNeeds } from "../engine/run-case.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange, RequestOptions } from "../exchange.ts";
import { requestOk } from "./assertions.ts";
import { batchOf, message } from "./messages.ts";
import { needsOf, validRequest } from "./requests.ts";

/** The rate limit and quota headers, in lower case. */
const names = {
  limit: headerName(document, "RateLimitLimit").toLowerCase(),
  left: headerName(document, "RateLimitRemaining").toLowerCase(),
  wait: headerName(document, "RetryAfter").toLowerCase(),
  quota: headerName(document, "MonthlyQuota").toLowerCase(),
  allowance: headerName(document, "MonthlyRemaining").toLowerCase(),
} as const;

/** The number in a rate limit or quota header. */
export function limitHeader(exchange: Exchange, name: keyof typeof names): number {
  const number = limitHeaderOrNaN(exchange, name);
  assert(!Number.isNaN(number), exchange, {
    expected: `${names[name]} with an integer`,
    found: exchange.headers[names[name]] ?? "no such header",
  });
  return number;
}

/** The number in such a header; NaN if it is missing. */
export function limitHeaderOrNaN(exchange: Exchange, name: keyof typeof names): number {
  const text = exchange.headers[names[name]] ?? "";
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** A request, between two identical small requests. */
export interface Step {
  before: Exchange;
  made: Exchange;
  after: Exchange;
}

/** Requests that each count once toward the rate limit of one account, and those of another account that do not. */
const stepRequests: Record<
  StepName,
  { operation: OperationId; key?: "second" | "otherAccount"; counts?: 0; needs?: readonly Need[] }
> = {
  account: { operation: "getMe" },
  newsletter: { operation: "listNewsletterLists" },
  email: { operation: "getEmail" },
  batch: { operation: "sendBatch" },
  second: { operation: "getMe", key: "second" },
  otherAccount: { operation: "getMe", key: "otherAccount", counts: 0 },
  otherNewsletter: {
    operation: "listNewsletterLists",
    key: "otherAccount",
    counts: 0,
    needs: ["lists.otherAccount"],
  },
};

type StepName = "account" | "newsletter" | "email" | "batch" | "second" | "otherAccount" | "otherNewsletter";

const stepNames = Object.keys(stepRequests) as StepName[];

/** The steps whose requests count. */
export const countedSteps = stepNames.filter((name) => stepRequests[name].counts !== 0);

/** The steps of one sequence, without those that lack a fixture. */
export type RequestSequence = Partial<Record<StepName, Step>>;

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
export const requestSequences = (tester: Tester): Promise<RequestSequence[]> =>
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
  stepNames.every((name) => {
    const step = sequence[name];
    return step === undefined || decrease(step) === 1 + (stepRequests[name].counts ?? 1);
  });

const anyPause = (): number => Math.min(1000, -Math.log(1 - Math.random()) * usualPause);

async function requestSequence(
  tester: Tester,
  pause: () => Promise<void> = async () => {},
): Promise<RequestSequence> {
  const sequence: RequestSequence = {};
  const parts = new Map<StepName, RequestOptions>();
  for (const name of stepNames) {
    const { operation, key, needs: own = [] } = stepRequests[name];
    const needs = [...own, ...needsOf(operation), ...(key === undefined ? [] : [`keys.${key}` as const])];
    if (missingNeeds(tester.run, needs).length > 0) continue;
    const options = name === "batch" ? { body: batchOfThree(tester) } : await validRequest(tester, operation);
    parts.set(name, { ...options, ...(key === undefined ? {} : { key }) });
  }
  await pause();
  let before = await requestOk(tester, "getMe");
  for (const [name, options] of parts) {
    await pause();
    const made = await requestOk(tester, stepRequests[name].operation, options);
    await pause();
    const after = await requestOk(tester, "getMe");
    sequence[name] = { before, made, after };
    before = after;
  }
  return sequence;
}

const batchOfThree = (tester: Tester) => batchOf(message(tester), message(tester), message(tester));

/** How far the remaining requests decreased over a step. */
const decrease = ({ before, after }: Step): number =>
  limitHeader(before, "left") - limitHeader(after, "left");

/** Asserts that the request of a step counted once, and so did the one after it. */
export function assertCountsOnce(sequences: readonly RequestSequence[], name: StepName): void {
  assertDecrease(sequences, name, "after", 2);
}

/** Asserts that the request of a step did not count, and the one after it counted once. */
export function assertCountsNothing(sequences: readonly RequestSequence[], name: StepName): void {
  assertDecrease(sequences, name, "after", 1);
}

/** Asserts that the response of a step reports one less than the one before. */
export function assertOneLess(sequences: readonly RequestSequence[], name: StepName): void {
  assertDecrease(sequences, name, "made", 1);
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
    step === undefined
      ? []
      : [{ step, fall: limitHeader(step.before, "left") - limitHeader(step[upTo], "left") }],
  );
  const ofFall = Object.values(Object.groupBy(found, ({ fall }) => fall));
  const often = ofFall.toSorted((one = [], other = []) => other.length - one.length)[0] ?? [];
  const right = found.filter(({ fall }) => fall === made).length;
  const last = often.at(-1);
  if (last === undefined || right === often.length) return;
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
