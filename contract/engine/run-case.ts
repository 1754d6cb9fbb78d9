import type { OperationId } from "../../generated/operations.ts";
import { type Exchange, requestName } from "../exchange.ts";
import { AssertionFailure, NotVerified, OutsideRun } from "./assert.ts";
import { causeOf } from "./cause.ts";
import type { Check, Need, TestCase } from "./check.ts";
import { Unreachable } from "./http.ts";
import { type CaseOutcome, type Failure, Observations, recordExchange } from "./outcome.ts";
import type { Run } from "./run.ts";
import type { Settings } from "./settings.ts";
import { Tester } from "./tester.ts";

/**
 * Runs a test case. It never throws: whatever happens is an outcome, the first one that of the case itself; none if it needs an operation
 * outside the run.
 */
export async function runCase(run: Run, check: Check, testCase: TestCase): Promise<CaseOutcome[]> {
  const tester = new Tester(run);
  const options = { check, testCase, redact: run.redact };
  let isOutside = false;
  const outcome = await outcomeOf(tester, options, async () => {
    const needs = needsOfCase(check, testCase);
    const missing = missingNeeds(run.settings, needs);
    if (missing.length > 0) throw new NotVerified(`Not configured: ${missing.join(", ")}.`);
    // Checks unsubscribe these contacts, so their state is lost.
    if (needs.includes("contacts.cleaned") || needs.includes("contacts.complained")) run.isChanged = true;
    await testCase.run(tester).catch((error: unknown) => {
      isOutside = error instanceof OutsideRun;
      throw error;
    });
  });
  if (isOutside) {
    for (const id of check.ids) run.outside.add(id);
    return [];
  }
  const found = tester.found.map(({ error, exchanges }) =>
    outcomeOf({ ...new Observations(), exchanges: [...exchanges] }, options, () => Promise.reject(error)),
  );
  return [outcome, ...(await Promise.all(found))];
}

/** Everything a test case needs. */
export const needsOfCase = (check: Check, testCase: TestCase): Need[] => [
  "keys.full",
  ...check.needs,
  ...(testCase.needs ?? []),
];

/** The needs that are not configured. */
export function missingNeeds({ keys, fixtures, hooks }: Settings, needs: readonly Need[]): Need[] {
  const have = { ...fixtures, keys, hooks } as Record<string, unknown>;
  return [...new Set(needs)].filter((need) => !isThere(at(have, need)));
}

const at = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (inner, name) => (inner as Settings["fixtures"] & Record<string, unknown>)?.[name],
      value,
    );

const isThere = (value: unknown): boolean =>
  value !== undefined && !(Array.isArray(value) && value.length === 0);

/** An outcome keeps the last exchanges of its test case. */
const maxExchanges = 40;

interface Options {
  check: Pick<Check, "ids" | "title" | "tags">;
  testCase: Pick<TestCase, "title" | "operation">;
  /** Removes secrets from a text. */
  redact: (text: string) => string;
}

/** The outcome of some work that an object observes. It never throws: whatever happens is an outcome. */
export async function outcomeOf(
  observed: Omit<Observations, "note">,
  { check, testCase, redact }: Options,
  work: () => Promise<unknown>,
): Promise<CaseOutcome> {
  const began = performance.now();
  const ending = await endingOf(work);
  const kept = observed.exchanges.slice(-maxExchanges);
  const indexOf = (exchange: Exchange | undefined): number | null => {
    if (exchange === undefined) return null;
    if (!kept.includes(exchange)) kept.push(exchange);
    return kept.indexOf(exchange);
  };
  const cause = ending.assertion && causeOf(ending.assertion, observed.exchanges);
  const shown = ending.assertion?.exchange?.request;
  const operation = testCase.operation ?? ending.operation ?? (shown && requestName(shown).operation);
  const failure: Failure | undefined = ending.assertion && {
    expected: redact(ending.assertion.expected),
    found: redact(ending.assertion.found),
    exchange: indexOf(ending.assertion.exchange),
    ...(ending.assertion.seed === undefined ? {} : { seed: ending.assertion.seed }),
    ...(cause === undefined ? {} : { cause: redact(cause) }),
  };
  const responseChecks = [...observed.responseChecks.values()].map(({ at, ...tally }) => ({
    ...tally,
    failures: tally.failures.map(({ expected, found, cause }, index) => ({
      expected,
      found: redact(found),
      exchange: indexOf(at[index]),
      ...(cause === undefined ? {} : { cause: redact(cause) }),
    })),
  }));
  return {
    ids: [...(ending.ids ?? [...check.ids, ...observed.compared])],
    check: check.title,
    title: testCase.title,
    ...(operation && { operation }),
    tags: [...check.tags],
    verdict: ending.verdict,
    ...(ending.reason === undefined ? {} : { reason: redact(ending.reason) }),
    ...(failure === undefined ? {} : { failure }),
    exchanges: kept.map((exchange) => recordExchange(exchange, redact)),
    responseChecks,
    information: [...observed.information].map(redact),
    requests: observed.requests,
    milliseconds: Math.round(performance.now() - began),
  };
}

interface Ending {
  verdict: CaseOutcome["verdict"];
  /** The requirements that the verdict is about; default: those of the check. */
  ids?: readonly string[] | undefined;
  reason?: string;
  /** The operation without a response. */
  operation?: OperationId | undefined;
  assertion?: AssertionFailure;
}

async function endingOf(work: () => Promise<unknown>): Promise<Ending> {
  try {
    await work();
    return { verdict: "pass" };
  } catch (error) {
    if (error instanceof AssertionFailure) return { verdict: "fail", ids: error.ids, assertion: error };
    if (error instanceof NotVerified)
      return { verdict: "not verified", ids: error.ids, reason: error.message };
    if (error instanceof Unreachable)
      return { verdict: "error", reason: error.message, operation: error.known.operation };
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { verdict: "error", reason: `Internal error of the suite: ${reason}` };
  }
}
