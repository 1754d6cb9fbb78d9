import { checksOfServer } from "../checks/all.ts";
import type { Check, Need } from "../engine/check.ts";

/** The ids of the requirements that checks cannot verify without a setting, by setting; default: all checks of a server. */
export function requirementsByNeed(
  checks: readonly Check[] = checksOfServer({ fixtures: {} }),
): Map<Need, Set<string>> {
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
