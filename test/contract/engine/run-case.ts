import type { Exchange } from "../exchange.ts";
import { AssertionFailure, NotVerified } from "./assert.ts";
import type { Check, Need, TestCase } from "./check.ts";
import { Unreachable } from "./http.ts";
import type { CaseOutcome, Failure } from "./outcome.ts";
import { recordExchange } from "./record.ts";
import type { Run } from "./run.ts";
import type { Settings } from "./settings.ts";
import { Tester } from "./tester.ts";

/** How many exchanges of a trial its outcome keeps: the last ones. */
const mostExchanges = 40;

/** Tries a law in one case. It never throws: whatever happens is an outcome. */
export async function runCase(run: Run, check: Check, trial: TestCase): Promise<CaseOutcome> {
  const began = performance.now();
  const tester = new Tester(run);
  const { redact: strike } = run;
  const kept: Exchange[] = [];
  const placeOf = (exchange: Exchange | undefined): number | null => {
    if (exchange === undefined) return null;
    if (!kept.includes(exchange)) kept.push(exchange);
    return kept.indexOf(exchange);
  };
  const ending = await endingOf(run, check, trial, tester);
  kept.push(...tester.exchanges.slice(-mostExchanges));
  const breach: Failure | undefined = ending.broken && {
    expected: strike(ending.broken.expected),
    found: strike(ending.broken.found),
    exchange: placeOf(ending.broken.exchange),
  };
  const wire = [...tester.responseChecks.values()].map(({ at, ...tally }) => ({
    ...tally,
    breaches: tally.failures.map(({ expected, found }, index) => ({
      expected,
      found: strike(found),
      exchange: placeOf(at[index]),
    })),
  }));
  return {
    ids: [...check.ids],
    check: check.title,
    title: trial.title,
    tags: [...check.tags],
    verdict: ending.verdict,
    ...(ending.reason === undefined ? {} : { reason: strike(ending.reason) }),
    ...(breach === undefined ? {} : { failure: breach }),
    exchanges: kept.map((exchange) => recordExchange(exchange, strike)),
    responseChecks: wire,
    information: [...tester.information].map(strike),
    requests: tester.requests,
    milliseconds: Math.round(performance.now() - began),
  };
}

interface Ending {
  verdict: CaseOutcome["verdict"];
  reason?: string;
  broken?: AssertionFailure;
}

async function endingOf(run: Run, check: Check, trial: TestCase, tester: Tester): Promise<Ending> {
  const needs: Need[] = ["keys.full", ...check.needs, ...(trial.needs ?? [])];
  const missing = missingNeeds(run, needs);
  if (missing.length > 0)
    return { verdict: "not verified", reason: `Not configured: ${missing.join(", ")}.` };
  // In their states they are there once only: checks unsubscribe them.
  if (needs.some((need) => need.startsWith("contacts."))) run.markChanged();
  try {
    await trial.run(tester);
    return { verdict: "pass" };
  } catch (error) {
    if (error instanceof AssertionFailure) return { verdict: "fail", broken: error };
    if (error instanceof NotVerified) return { verdict: "not verified", reason: error.message };
    if (error instanceof Unreachable) return { verdict: "error", reason: error.message };
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { verdict: "error", reason: `The suite itself failed: ${reason}` };
  }
}

/** What a check needs that the run does not have. */
export function missingNeeds(
  { settings, hooks }: Pick<Run, "settings" | "hooks">,
  needs: readonly Need[],
): Need[] {
  const { keys, fixtures } = settings;
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
