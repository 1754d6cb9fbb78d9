import { NotVerified } from "./assert.ts";
import type { Check, Need, TestCase } from "./check.ts";
import type { CaseOutcome } from "./outcome.ts";
import { outcomeOf } from "./outcome-of.ts";
import type { Run } from "./run.ts";
import type { Settings } from "./settings.ts";
import { Tester } from "./tester.ts";

/** Runs a test case. It never throws: whatever happens is an outcome, the first one that of the case itself. */
export async function runCase(run: Run, check: Check, testCase: TestCase): Promise<CaseOutcome[]> {
  const tester = new Tester(run);
  const options = { check, testCase, redact: run.redact };
  const outcome = await outcomeOf(tester, options, async () => {
    const needs = needsOfCase(check, testCase);
    const missing = missingNeeds(run, needs);
    if (missing.length > 0) throw new NotVerified(`Not configured: ${missing.join(", ")}.`);
    // Checks unsubscribe these contacts, so their state is lost.
    if (needs.includes("contacts.cleaned") || needs.includes("contacts.complained")) run.markChanged();
    await testCase.run(tester);
  });
  const found = tester.found.map(({ error, exchanges }) =>
    outcomeOf({ ...nothing, exchanges }, options, () => Promise.reject(error)),
  );
  return [outcome, ...(await Promise.all(found))];
}

const nothing = {
  responseChecks: new Map(),
  information: new Set<string>(),
  compared: new Set<string>(),
  requests: 0,
};

/** Everything a test case needs. */
export const needsOfCase = (check: Check, testCase: TestCase): Need[] => [
  "keys.full",
  ...check.needs,
  ...(testCase.needs ?? []),
];

/** The needs that are not configured. */
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
