import { hooksOf } from "../../contract/engine/hooks.ts";
import { missingNeeds, needsOfCase } from "../../contract/engine/run-case.ts";
import type { Settings } from "../../contract/engine/settings.ts";
import { nameOf, plannedCases, planOf } from "../../contract/plan.ts";
import { count, wrapped } from "../../lib/text.ts";
import { runEstimate } from "./run-estimate.ts";

/**
 * The option `--dry-run`: prints the checks of a run, and what the run takes. Sends nothing.
 * @param grep only checks whose ids and title it matches
 * @returns the exit code, 0
 */
export async function dryRun(
  settings: Settings,
  grep?: RegExp,
  { print = console.log }: { print?: (text: string) => void } = {},
): Promise<number> {
  const plan = planOf(settings, grep);
  const hooks = await hooksOf(settings);
  const byCheck = Object.entries(Object.groupBy(plannedCases(plan), ({ check }) => nameOf(check)));
  const lines = byCheck.map(([name, cases = []]) => {
    const lacking = cases.map(({ check, testCase }) =>
      missingNeeds({ settings, hooks }, needsOfCase(check, testCase)),
    );
    const able = lacking.filter((needs) => needs.length === 0).length;
    const missing =
      able === cases.length ? "" : `; not configured: ${[...new Set(lacking.flat())].join(", ")}`;
    const number =
      able === cases.length ? count(able, "test case") : `${able} of ${count(cases.length, "test case")}`;
    return wrapped(`${name} (${number}${missing})`, "  ");
  });
  const head = `${settings.baseUrl}, profile ${settings.profile}: a dry run, nothing is sent.`;
  print([wrapped(head), ...lines, "", runEstimate(settings, plan, hooks, { grep })].join("\n"));
  return 0;
}
