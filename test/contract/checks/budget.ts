import type { OperationId } from "../../../generated/operations.ts";
import { document, headerCalled } from "../document.ts";
import { assert, NotVerified } from "../engine/assert.ts";
import type { Exchange, RequestOptions } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { missingOf } from "../engine/try.ts";
import { batchOf, message, needsOf, requestOk, validRequest } from "./kit.ts";

/** The names, in small letters, of the headers about limits: those of a minute, the wait, those of a month. */
const names = {
  limit: headerCalled(document, "RateLimitLimit").toLowerCase(),
  left: headerCalled(document, "RateLimitRemaining").toLowerCase(),
  wait: headerCalled(document, "RetryAfter").toLowerCase(),
  quota: headerCalled(document, "MonthlyQuota").toLowerCase(),
  allowance: headerCalled(document, "MonthlyRemaining").toLowerCase(),
} as const;

/** The number in one of the headers about limits. */
export function numberIn(exchange: Exchange, name: keyof typeof names): number {
  const number = numberOrNot(exchange, name);
  assert(!Number.isNaN(number), exchange, {
    expected: `${names[name]} with a whole number`,
    found: exchange.headers[names[name]] ?? "no such header",
  });
  return number;
}

/** The number in one of the headers about limits; not a number where there is none. */
export function numberOrNot(exchange: Exchange, name: keyof typeof names): number {
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
export type Walk = Partial<Record<StepName, Step>>;

/**
 * A server that counts wrongly does so every time: so many walks at least must show it. Few enough that no minute has more calls
 * than the request limit, and enough that somebody else's calls do not look like that by chance.
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
export const steps = (tester: Tester): Promise<Walk[]> =>
  tester.once("a walk of calls", async (own) => {
    const walks: Walk[] = [];
    const another = async (): Promise<Walk> => {
      // Somebody else may walk in step: with pauses of any length, nobody calls as often between two calls each time.
      const pause = walks.length === 0 ? undefined : () => own.run.time.wait(anyPause());
      const made = await walk(own, pause);
      walks.push(made);
      return made;
    };
    await own.until(another, isRight, own.settings.deadlines.moments, 1000);
    while (walks.length < fewest && !isRight(walks.at(-1))) await another();
    return walks;
  });

const isRight = (walked: Walk = {}): boolean => Object.values(walked).every((step) => taken(step) === 2);

const anyPause = (): number => Math.min(1000, -Math.log(1 - Math.random()) * usualPause);

async function walk(tester: Tester, pause: () => Promise<void> = async () => {}): Promise<Walk> {
  const walked: Walk = {};
  const parts = new Map<StepName, RequestOptions>();
  for (const name of stepNames) {
    const { operation, key } = calls[name];
    const needs = [...needsOf(operation), ...(key === undefined ? [] : [`keys.${key}` as const])];
    if (missingOf(tester.run, needs).length > 0) continue;
    const asked = name === "batch" ? { body: threeMessages(tester) } : await validRequest(tester, operation);
    parts.set(name, { ...asked, ...(key === undefined ? {} : { key }) });
  }
  await pause();
  let before = await requestOk(tester, "getMe");
  for (const [name, asked] of parts) {
    await pause();
    const made = await requestOk(tester, calls[name].operation, asked);
    await pause();
    const after = await requestOk(tester, "getMe");
    walked[name] = { before, made, after };
    before = after;
  }
  return walked;
}

const threeMessages = (tester: Tester) => batchOf(message(tester), message(tester), message(tester));

/** By how much the requests left fell over a step. */
const taken = ({ before, after }: Step): number => numberIn(before, "left") - numberIn(after, "left");

/** The call of a step took one from the requests left, and the one after it another. */
export function takesOne(walks: readonly Walk[], name: StepName): void {
  falls(walks, name, "after", 2);
}

/** The answer of a step tells one less than the one before. */
export function tellsOneLess(walks: readonly Walk[], name: StepName): void {
  falls(walks, name, "made", 1);
}

/**
 * What is left falls by the number of calls up to an answer of a step.
 * @throws BrokenPromise where it falls by another number, the same in most walks; NotVerified where it falls by any number
 */
function falls(walks: readonly Walk[], name: StepName, upTo: "made" | "after", made: 1 | 2): void {
  const found = walks.flatMap(({ [name]: step }) =>
    step === undefined ? [] : [{ step, fall: numberIn(step.before, "left") - numberIn(step[upTo], "left") }],
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
  const start = numberIn(last.step.before, "left");
  assert(false, last.step[upTo], {
    expected: `${names.left} ${start - made}, after ${made === 1 ? "one call" : "two calls"} at ${start}`,
    found: `${start - last.fall}, and as wrong in ${often.length} of ${found.length} tries`,
  });
}
