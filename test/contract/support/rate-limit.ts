import type { OperationId } from "../../../generated/operations.ts";
import { document, headerCalled } from "../document.ts";
import { assert, NotVerified } from "../engine/assert.ts";
import type { Exchange, RequestOptions } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { missingOf } from "../engine/try.ts";
import { requestOk } from "./assertions.ts";
import { batchOf, message } from "./messages.ts";
import { needsOf, validRequest } from "./requests.ts";

/** The names, in small letters, of the headers about limits: those of a minute, the wait, those of a month. */
const names = {
  limit: headerCalled(document, "RateLimitLimit").toLowerCase(),
  left: headerCalled(document, "RateLimitRemaining").toLowerCase(),
  wait: headerCalled(document, "RetryAfter").toLowerCase(),
  quota: headerCalled(document, "MonthlyQuota").toLowerCase(),
  allowance: headerCalled(document, "MonthlyRemaining").toLowerCase(),
} as const;

/** The number in one of the headers about limits. */
export function limitHeader(exchange: Exchange, name: keyof typeof names): number {
  const number = limitHeaderOrNaN(exchange, name);
  assert(!Number.isNaN(number), exchange, {
    expected: `${names[name]} with a whole number`,
    found: exchange.headers[names[name]] ?? "no such header",
  });
  return number;
}

/** The number in one of the headers about limits; not a number where there is none. */
export function limitHeaderOrNaN(exchange: Exchange, name: keyof typeof names): number {
  const text = exchange.headers[names[name]] ?? "";
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** One step of a walk: a call, and the same small call right before it and right after it. */
export interface Step {
  before: Exchange;
  made: Exchange;
  after: Exchange;
}

/** The calls that draw on the request limit of one account, each by one. */
const calls: Record<StepName, { operation: OperationId; key?: "second" }> = {
  account: { operation: "getMe" },
  newsletter: { operation: "listNewsletterLists" },
  email: { operation: "getEmail" },
  batch: { operation: "sendBatch" },
  second: { operation: "getMe", key: "second" },
};

export type StepName = "account" | "newsletter" | "email" | "batch" | "second";

export const stepNames = Object.keys(calls) as StepName[];

/** The steps of one walk; those that lack something are not made. */
export type RequestSequence = Partial<Record<StepName, Step>>;

/**
 * A server that counts wrongly does so every time: so many walks at least must show it. Few enough that no minute has more calls
 * than the request limit, and enough that somebody else's calls do not lookup like that by chance.
 */
const fewest = 9;

/** The share of the walks that must show the same wrong number. */
const most = 0.8;

/** The mean pause between the calls of a walk that is made again, in milliseconds. */
const usualPause = 100;

/**
 * Calls of all products and with two keys of one account, one after another, while nobody else calls it. Where the minute turns in
 * between, calls of a minute ago leave the account, or somebody else calls with it, they are made again.
 */
export const requestSequences = (tester: Tester): Promise<RequestSequence[]> =>
  tester.once("a walk of calls", async (own) => {
    const walks: RequestSequence[] = [];
    const another = async (): Promise<RequestSequence> => {
      // Somebody else may walk in step: with pauses of any length, nobody calls as often between two calls each time.
      const pause = walks.length === 0 ? undefined : () => own.run.time.wait(anyPause());
      const made = await requestSequence(own, pause);
      walks.push(made);
      return made;
    };
    await own.until(another, isRight, own.settings.deadlines.moments, 1000);
    while (walks.length < fewest && !isRight(walks.at(-1))) await another();
    return walks;
  });

const isRight = (walked: RequestSequence = {}): boolean =>
  Object.values(walked).every((step) => decrease(step) === 2);

const anyPause = (): number => Math.min(1000, -Math.log(1 - Math.random()) * usualPause);

async function requestSequence(
  tester: Tester,
  pause: () => Promise<void> = async () => {},
): Promise<RequestSequence> {
  const walked: RequestSequence = {};
  const parts = new Map<StepName, RequestOptions>();
  for (const name of stepNames) {
    const { operation, key } = calls[name];
    const needs = [...needsOf(operation), ...(key === undefined ? [] : [`keys.${key}` as const])];
    if (missingOf(tester.run, needs).length > 0) continue;
    const options = name === "batch" ? { body: batchOfThree(tester) } : await validRequest(tester, operation);
    parts.set(name, { ...options, ...(key === undefined ? {} : { key }) });
  }
  await pause();
  let before = await requestOk(tester, "getMe");
  for (const [name, options] of parts) {
    await pause();
    const made = await requestOk(tester, calls[name].operation, options);
    await pause();
    const after = await requestOk(tester, "getMe");
    walked[name] = { before, made, after };
    before = after;
  }
  return walked;
}

const batchOfThree = (tester: Tester) => batchOf(message(tester), message(tester), message(tester));

/** By how much the requests left fell over a step. */
const decrease = ({ before, after }: Step): number =>
  limitHeader(before, "left") - limitHeader(after, "left");

/** The call of a step took one from the requests left, and the one after it another. */
export function assertCountsOnce(walks: readonly RequestSequence[], name: StepName): void {
  assertDecrease(walks, name, "after", 2);
}

/** The response of a step tells one less than the one before. */
export function assertOneLess(walks: readonly RequestSequence[], name: StepName): void {
  assertDecrease(walks, name, "made", 1);
}

/**
 * What is left falls by the number of calls up to an response of a step.
 * @throws BrokenPromise where it falls by another number, the same in most walks; NotVerified where it falls by any number
 */
function assertDecrease(
  walks: readonly RequestSequence[],
  name: StepName,
  upTo: "made" | "after",
  made: 1 | 2,
): void {
  const found = walks.flatMap(({ [name]: step }) =>
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
      `Somebody else calls with this account: what is left fell by ${found.map(({ fall }) => fall).join(", ")}.`,
    );
  const start = limitHeader(last.step.before, "left");
  assert(false, last.step[upTo], {
    expected: `${names.left} ${start - made}, after ${made === 1 ? "one call" : "two calls"} at ${start}`,
    found: `${start - last.fall}, and as wrong in ${often.length} of ${found.length} tries`,
  });
}
