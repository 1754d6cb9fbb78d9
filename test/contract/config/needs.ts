import { checksOfServer } from "../checks/all.ts";
import type { Check, Need } from "../engine/check.ts";
import type { Settings } from "../engine/settings.ts";

/** Everything that the checks of a server need, as far as it is known without one. */
const everyCheck = (settings: Pick<Settings, "fixtures" | "runId"> = { fixtures: {}, runId: "x" }): Check[] =>
  checksOfServer(settings);

/** The requirements that some check verifies only where there is this, by what they need; each with what else it needs. */
export function requirementsByNeed(checks: readonly Check[] = everyCheck()): Map<Need, Set<string>> {
  const byNeed = new Map<Need, Set<string>>();
  for (const { ids, needs, cases } of checks) {
    for (const need of [...needs, ...cases.flatMap((one) => one.needs ?? [])]) {
      const known = byNeed.get(need) ?? new Set();
      for (const id of ids) known.add(id);
      byNeed.set(need, known);
    }
  }
  return byNeed;
}
