import { beforeAll, describe, expect, it } from "vitest";
import type { CaseOutcome } from "../../contract/engine/outcome.ts";
import { Run } from "../../contract/engine/run.ts";
import type { Settings } from "../../contract/engine/settings.ts";
import type { ObservedExchange } from "../../contract/observe/subjects.ts";
import { planOf, runPlan } from "../../contract/plan.ts";
import { falsePositives } from "../mutants/variants/false-positives.ts";
import { recorded } from "../observe/recorded.ts";
import { failuresOf, observed, shuffled } from "../observe/samples.ts";
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

  it("shows no failure to an observer of its traffic, in any order", { timeout: 240_000 }, () => {
    const { keys, fixtures, deadlines } = settings;
    const known = { keys, fixtures, deadlines };
    for (const options of [{ ...known, isAllTraffic: true }, known, {}])
      for (const exchanges of [traffic, shuffled(traffic)])
        expect(failuresOf(observed(exchanges, options))).toEqual([]);
  });
});
