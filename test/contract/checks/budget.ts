import type { OperationId } from "../../../generated/operations.ts";
import { document, headerCalled } from "../document.ts";
import type { Exchange } from "../engine/exchange.ts";
import { must } from "../engine/promise.ts";
import type { Asked, Tester } from "../engine/tester.ts";
import { missingOf } from "../engine/try.ts";
import { batch, good, goodCall, message, needsOf } from "./kit.ts";

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
  must(!Number.isNaN(number), exchange, {
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

/**
 * Calls of all products and with two keys of one account, one after another, while nobody else calls it. Where the minute turns in
 * between, or calls of a minute ago leave the account, they are made once more. Steps that lack something are not made.
 */
export const steps = (tester: Tester): Promise<Partial<Record<StepName, Step>>> =>
  tester.once("a walk of calls", (own) =>
    own.until(
      () => walk(own),
      (walked) => Object.values(walked).every((step) => taken(step) === 2),
      own.settings.deadlines.moments,
      1000,
    ),
  );

async function walk(tester: Tester): Promise<Partial<Record<StepName, Step>>> {
  const walked: Partial<Record<StepName, Step>> = {};
  const parts = new Map<StepName, Asked>();
  for (const name of Object.keys(calls) as StepName[]) {
    const { operation, key } = calls[name];
    const needs = [...needsOf(operation), ...(key === undefined ? [] : [`keys.${key}` as const])];
    if (missingOf(tester.run, needs).length > 0) continue;
    const asked = name === "batch" ? { body: threeMessages(tester) } : await goodCall(tester, operation);
    parts.set(name, { ...asked, ...(key === undefined ? {} : { key }) });
  }
  let before = await good(tester, "getMe");
  for (const [name, asked] of parts) {
    const made = await good(tester, calls[name].operation, asked);
    const after = await good(tester, "getMe");
    walked[name] = { before, made, after };
    before = after;
  }
  return walked;
}

const threeMessages = (tester: Tester) => batch(message(tester), message(tester), message(tester));

/** By how much the requests left fell over a step. */
const taken = ({ before, after }: Step): number => numberIn(before, "left") - numberIn(after, "left");

/** The call of a step took one from the requests left, and the one after it another. */
export function takesOne(step: Step | undefined): void {
  if (step === undefined) return;
  const start = numberIn(step.before, "left");
  must(taken(step) === 2, step.after, {
    expected: `${names.left} ${start - 2}, after two calls at ${start}`,
    found: String(numberIn(step.after, "left")),
  });
}

/** The answer of a step tells one less than the one before. */
export function tellsOneLess({ before, made }: Step): void {
  const start = numberIn(before, "left");
  must(numberIn(made, "left") === start - 1, made, {
    expected: `${names.left} ${start - 1}, after ${start} in the answer before`,
    found: String(numberIn(made, "left")),
  });
}
