import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { CaseOutcome } from "../../contract/engine/outcome.ts";
import { Run } from "../../contract/engine/run.ts";
import type { Settings } from "../../contract/engine/settings.ts";
import type { ObservedExchange } from "../../contract/observe/subjects.ts";
import { planOf, runPlan } from "../../contract/plan.ts";
import { readReport } from "../../contract/report/json.ts";
import { claimOf, publishedReport } from "../../contract/report/publish.ts";
import { reportsFolder } from "../../scripts/common/paths.ts";
import { falsePositives } from "../mutants/variants/false-positives.ts";
import { recorded } from "../observe/recorded.ts";
import { failuresOf, observed, shuffled } from "../observe/samples.ts";
import { secondServerResult } from "../reports/second-server.ts";
import { startSecondServer } from "./second-server.ts";
import { secondServerSettings } from "./settings.ts";

/** As much of a body as the proxy records. */
const mostRecorded = 256 * 1024;

/** An exchange as the proxy records it: without a larger body. */
const withoutLarge = (exchange: ObservedExchange): ObservedExchange =>
  (exchange.requestBody?.length ?? 0) > mostRecorded
    ? { ...exchange, requestBody: undefined, isCut: true }
    : exchange;

describe("the suite on a server that is independent of the sandbox", () => {
  let settings: Settings;
  let outcomes: CaseOutcome[];
  const startedAt = new Date();
  const traffic: ObservedExchange[] = [];
  beforeAll(async () => {
    const { url, close } = await startSecondServer({ requestsPerMinute: 100_000 });
    settings = secondServerSettings(url);
    const now = () => performance.timeOrigin + performance.now();
    const onExchange = (exchange: ObservedExchange): void => void traffic.push(withoutLarge(exchange));
    const run = new Run({ settings, fetch: recorded(fetch, { now, serverNow: now, onExchange }) });
    outcomes = await runPlan(run, planOf(settings)).finally(close);
  }, 240_000);

  it("passes every test case and every response check", () => {
    expect(falsePositives(outcomes)).toEqual([]);
  });

  it("has the verdicts of its published report: npm run reports -- second-server", () => {
    const report = publishedReport(secondServerResult(settings, outcomes, startedAt));
    const written = readReport(join(reportsFolder, "second-server.json"));
    expect(claimOf({ ...report, startedAt: written.startedAt })).toEqual(claimOf(written));
  });

  it("shows no failure to an observer of its traffic, in any order", { timeout: 240_000 }, () => {
    const { keys, fixtures, deadlines } = settings;
    const known = { keys, fixtures, deadlines };
    for (const options of [{ ...known, isAllTraffic: true }, known, {}])
      for (const exchanges of [traffic, shuffled(traffic)])
        expect(failuresOf(observed(exchanges, options))).toEqual([]);
  });
});
