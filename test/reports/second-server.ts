import type { CaseOutcome } from "../../contract/engine/outcome.ts";
import type { Settings } from "../../contract/engine/settings.ts";
import { planOf } from "../../contract/plan.ts";
import { levelsShownBy } from "../../contract/report/levels.ts";
import type { ContractResult } from "../../contract/report/result.ts";
import { summarize } from "../../contract/report/summarize.ts";
import { requirementsOf } from "../../contract/verifiable.ts";

/** The result of a run on the second server, as the command `contract` has it. */
export function secondServerResult(
  settings: Settings,
  outcomes: readonly CaseOutcome[],
  startedAt: Date,
): ContractResult {
  const { baseUrl, implementation, profile, without, runId } = settings;
  return summarize({
    information: {
      baseUrl,
      ...(implementation && { implementation }),
      profile,
      without: [...without],
      runId,
      startedAt: startedAt.toISOString(),
      durationMilliseconds: Date.now() - startedAt.getTime(),
      waitedMilliseconds: 0,
      requests: outcomes.reduce((sum, { requests }) => sum + requests, 0),
    },
    outcomes,
    planned: requirementsOf(settings, planOf(settings)),
    levels: levelsShownBy(profile),
  });
}
