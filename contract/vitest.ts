import { afterAll, type TestContext, test } from "vitest";
import type { ReportVerdict } from "../generated/schema-types.ts";
import { measureClockOffset } from "./clock-offset.ts";
import { withDiscoveredFixtures } from "./config/discover.ts";
import { type LoadedSettings, type LoadOptions, loadExpected, loadSettings } from "./config/load.ts";
import { Run } from "./engine/run.ts";
import { runCase } from "./engine/run-case.ts";
import type { Settings } from "./engine/settings.ts";
import { Tester } from "./engine/tester.ts";
import { openPorts } from "./mail/open.ts";
import { isConcurrent, type PlannedCase, planOf } from "./plan.ts";
import { findWindows } from "./rate-windows.ts";
import { excuse, expectationOf, type Place } from "./report/expected.ts";
import { failedCases } from "./report/result.ts";
import { checksOf, responseChecksOf } from "./report/summarize.ts";
import { nameOf } from "./selection.ts";

export interface ContractTestsOptions extends Partial<LoadOptions> {
  /** Registers only the checks whose ids and title it matches. */
  grep?: RegExp;
  /** Settings to use in place of a configuration. */
  settings?: Settings;
}

/**
 * Registers each test case of the contract suite as a Vitest test; call it at the top level of a test file, with `await`.
 * What is not verified, or is an expected failure, is skipped with the reason.
 * @throws UserError if the configuration is invalid, or the server does not respond or rejects the key
 */
export async function contractTests(options: ContractTestsOptions = {}): Promise<void> {
  const { grep, settings: given, env = process.env, ...others } = options;
  const loaded: Settings & Pick<LoadedSettings, "expectedFailures"> =
    given ?? (await loadSettings({ env, ...others }));
  const isExpected = expectationOf(await loadExpected(loaded.expectedFailures));
  const settings = await withDiscoveredFixtures(loaded);
  const { mailbox, close } = await openPorts(settings);
  const run = new Run({ settings, mailbox });
  await measureClockOffset(new Tester(run));
  const plan = planOf(settings, grep);
  await findWindows(new Tester(run), plan);
  for (const planned of plan) {
    const { check, testCase } = planned;
    const name = testCase.title === "" ? nameOf(check) : `${nameOf(check)}: ${testCase.title}`;
    // Each request and each poll has a deadline of its own.
    test(name, { concurrent: isConcurrent(planned), timeout: 0 }, (context) =>
      verify(run, planned, isExpected, context),
    );
  }
  afterAll(async () => {
    await close();
    await run.reset();
  });
}

async function verify(
  run: Run,
  { check, testCase }: PlannedCase,
  isExpected: (place: Place) => boolean,
  { skip }: TestContext,
): Promise<void> {
  const outcomes = await runCase(run, check, testCase);
  const [checks, responseChecks] = [checksOf(outcomes), responseChecksOf(outcomes)];
  excuse({ checks, responseChecks }, isExpected, "expected");
  const cases = checks.flatMap((one) => one.cases);
  const failures = failedCases({ checks, responseChecks });
  const unexpected = failures.filter((one) => one.excused === undefined);
  const reasonOf = (verdict: ReportVerdict) =>
    cases.find((one) => one.verdict === verdict && one.excused === undefined)?.reason;
  const error = reasonOf("error");
  if (error !== undefined) throw new Error(error);
  if (unexpected.length > 0)
    throw new Error(
      unexpected
        .map((one) => `${one.ids.join(" ")}: expected: ${one.expected}; found: ${one.found}`)
        .join("\n"),
    );
  if (cases.length === 0) skip("It needs an operation that is not implemented.");
  const isExcused = failures.length > 0 || cases.some((one) => one.excused !== undefined);
  const reason = reasonOf("not verified") ?? (isExcused ? "expected failure" : undefined);
  if (reason !== undefined) skip(reason);
}
