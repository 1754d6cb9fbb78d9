import type { OperationId } from "../../generated/operations.ts";
import type { ReportVerdict } from "../../generated/schema-types.ts";
import { oncePer } from "../../lib/objects.ts";
import { valueAt } from "../../scripts/document/json-pointer.ts";
import { type Exchange, requestName } from "../exchange.ts";
import { AssertionFailure, NotVerified, OutsideRun } from "./assert.ts";
import { causeOf, requestFault } from "./cause.ts";
import type { Check, Need, TestCase } from "./check.ts";
import { Unreachable } from "./http.ts";
import { type CaseOutcome, Observations, recordExchange, recordText } from "./outcome.ts";
import type { Run } from "./run.ts";
import type { Fixtures, Settings } from "./settings.ts";
import { Tester } from "./tester.ts";

/**
 * Runs a test case. It never throws: whatever happens is an outcome, the first one that of the case itself. If that needs an operation outside
 * the run, only what its responses show counts.
 */
export async function runCase(run: Run, check: Check, testCase: TestCase): Promise<CaseOutcome[]> {
  const tester = new Tester(run);
  const options = { check, testCase, redact: run.redact, fixtures: run.settings.fixtures };
  let outside: string | undefined;
  const outcome = await outcomeOf(tester, options, async () => {
    const needs = needsOfCase(testCase);
    const missing = missingNeeds(run.settings, needs);
    if (missing.length > 0) throw new NotVerified(notConfigured(missing), { needs: missing });
    // Checks unsubscribe these contacts, so their state is lost.
    if (needs.includes("contacts.cleaned") || needs.includes("contacts.complained")) run.isChanged = true;
    await testCase.run(tester).catch((error: unknown) => {
      if (error instanceof OutsideRun) outside = error.operation;
      // What else it needs does not matter.
      else if (error instanceof NotVerified) outside = tester.using.lacks;
      throw error;
    });
  });
  const isOutside = outside !== undefined;
  if (outside !== undefined)
    for (const id of check.ids)
      run.outside.set(id, new Set([...(run.outside.get(id) ?? []), outside].sort()));
  const found = tester.found
    .filter(({ error }) => !isOutside || error instanceof AssertionFailure)
    .map(({ error, exchanges }) =>
      outcomeOf({ ...new Observations(), exchanges: [...exchanges] }, options, () => Promise.reject(error)),
    );
  const own: CaseOutcome = isOutside ? { ...outcome, ids: [], verdict: "pass", isOutside } : outcome;
  return [own, ...(await Promise.all(found))];
}

/** Why a requirement is not verified without settings. */
export const notConfigured = (needs: readonly string[]): string => `Not configured: ${needs.join(", ")}.`;

export const needsOfCase = ({ needs = [] }: TestCase): Need[] => ["keys.full", ...needs];

export function missingNeeds({ keys, fixtures, hooks }: Settings, needs: readonly Need[]): Need[] {
  return [...new Set(needs)].filter((need) => {
    const value = valueAt({ ...fixtures, keys, hooks }, need.split("."));
    return value === undefined || (Array.isArray(value) && value.length === 0);
  });
}

/** An outcome keeps the last exchanges of its test case. */
const maxExchanges = 40;

interface Options {
  check: Pick<Check, "ids" | "title" | "tags">;
  testCase: Pick<TestCase, "title" | "operation">;
  redact: (text: string) => string;
  /** Those that requests are made of. */
  fixtures?: Fixtures;
}

/** The outcome of some work that an object observes. It never throws: whatever happens is an outcome. */
export async function outcomeOf(
  observed: Omit<Observations, "note">,
  { check, testCase, redact, fixtures }: Options,
  work: () => Promise<unknown>,
): Promise<CaseOutcome> {
  const began = performance.now();
  const { verdict, ids, reason, needs, operation, assertion } = await endingOf(work);
  const recordOf = oncePer((exchange: Exchange) => recordExchange(exchange, redact));
  const said = (text: string): string => recordText(text, redact);
  const redactCause = (cause?: string) => (cause === undefined ? {} : { cause: said(cause) });
  const shown = assertion?.exchange;
  // A value that many test cases share has more exchanges after the one that shows the failure.
  const end = observed.exchanges.indexOf(shown as Exchange) + 1 || observed.exchanges.length;
  // Of many, lookups of other things say least.
  const isKept = ({ request: { method, path } }: Exchange): boolean =>
    end <= maxExchanges || method !== "GET" || path === shown?.request.path;
  const leading = observed.exchanges.slice(0, end).filter(isKept).slice(-maxExchanges);
  const kept = [...leading, ...observed.exchanges.slice(end)].slice(0, maxExchanges);
  if (shown !== undefined && !kept.includes(shown)) kept.push(shown);
  const about = testCase.operation ?? operation ?? (shown && requestName(shown.request).operation);
  const failure = assertion && {
    expected: said(assertion.expected),
    found: said(assertion.found),
    exchange: shown === undefined ? null : kept.indexOf(shown),
    ...(assertion.since && { first: Math.max(0, kept.indexOf(assertion.since)) }),
    ...(assertion.seed !== undefined && { seed: assertion.seed }),
    ...redactCause(causeOf(assertion, ids ?? check.ids, observed.exchanges, fixtures)),
  };
  const responseChecks = [...observed.responseChecks.values()].map(({ failures, ...tally }) => ({
    ...tally,
    failures: failures.map(({ expected, found, at, exchange, fault }) => ({
      expected: said(expected),
      found: said(found),
      ...(at && { at: said(at) }),
      exchange: exchange === undefined ? null : recordOf(exchange),
      ...redactCause(fault?.cause ?? requestFault(exchange, tally.ids, tally.title)),
    })),
  }));
  return {
    ids: [...(ids ?? [...check.ids, ...observed.compared.keys()])],
    check: check.title,
    title: testCase.title,
    ...(about && { operation: about }),
    tags: [...check.tags],
    verdict,
    ...(reason !== undefined && { reason: redact(reason) }),
    ...(needs && { needs: [...needs] }),
    ...(failure && { failure }),
    exchanges: kept.map(recordOf),
    responseChecks,
    information: [...observed.information].map(said),
    requests: observed.requests,
    milliseconds: Math.round(performance.now() - began),
  };
}

interface Ending {
  verdict: ReportVerdict;
  /** The requirements that the verdict is about; default: those of the check. */
  ids?: readonly string[] | undefined;
  reason?: string;
  needs?: readonly string[] | undefined;
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
      return { verdict: "not verified", ids: error.ids, reason: error.message, needs: error.needs };
    if (error instanceof Unreachable)
      return { verdict: "error", reason: error.message, operation: error.known.operation };
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { verdict: "error", reason: `Internal error of the suite: ${reason}` };
  }
}
