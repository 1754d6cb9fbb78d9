import { newRunId } from "../../contract/config/load.ts";
import type { Coverage } from "../../contract/coverage/coverage.ts";
import type { Settings } from "../../contract/engine/settings.ts";
import { observeResult } from "../../contract/observe/observe-result.ts";
import type { Observer } from "../../contract/observe/observer.ts";
import { type Baseline, withBaseline } from "../../contract/report/baseline.ts";
import { isBelowThreshold } from "../../contract/report/coverage.ts";
import type { ContractResult } from "../../contract/report/result.ts";
import packageJson from "../../package.json" with { type: "json" };
import type { Traffic } from "./traffic.ts";

export interface ResultOptions {
  keys: Settings["keys"];
  /** Whether there is a configuration. */
  isConfigured?: boolean;
  expected: readonly string[];
  allTraffic?: boolean;
  showBodies?: boolean;
  docs?: string;
  baseline?: Baseline | undefined;
  coverage?: Coverage;
  /** In percent. */
  coverageThreshold?: number;
}

/** The result of observed traffic, from which all reports are made. */
export function resultOf(
  observer: Observer,
  traffic: Traffic,
  {
    keys,
    isConfigured = false,
    expected,
    allTraffic = false,
    showBodies = false,
    docs,
    baseline,
    coverage,
    coverageThreshold,
  }: ResultOptions,
): ContractResult {
  const { startedAt, milliseconds } = traffic.period;
  const observed = observeResult({
    tally: observer.tally,
    keys,
    showsBodies: showBodies,
    expected,
    format: 1,
    tool: { name: "email-api-contract", version: packageJson.version },
    baseUrl: traffic.baseUrl || "/",
    traffic: {
      ...countsOf(observer, isConfigured),
      ignored: traffic.ignored,
      isAllTraffic: allTraffic,
    },
    ...(docs !== undefined && { docs }),
    profile: "full",
    runId: newRunId(),
    startedAt: new Date(startedAt ?? Date.now()).toISOString(),
    durationMilliseconds: Math.round(milliseconds),
    waitedMilliseconds: 0,
    requests: observer.exchanges,
  });
  const result = baseline === undefined ? observed : withBaseline(observed, baseline);
  if (coverage === undefined) return result;
  const covered = { ...result, coverage: coverage.result(result.requirements, coverageThreshold) };
  return isBelowThreshold(covered) ? { ...covered, exitCode: 1 } : covered;
}

/** What the observer counted; the keys of the configuration only if there is one. */
function countsOf(observer: Observer, isConfigured: boolean) {
  const { exchanges, undocumented, unanswered, incomplete, concurrent, late, keys, configuredKeys } =
    observer;
  const counts = { exchanges, undocumented, unanswered, incomplete, concurrent, late, keys };
  return isConfigured ? { ...counts, configuredKeys } : counts;
}
