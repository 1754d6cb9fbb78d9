import type { ContractResult } from "./result.ts";

/** Missing settings, and the requirements that they enable. */
export interface Enabling {
  settings: string[];
  ids: string[];
}

/**
 * What to set, the most useful first.
 *
 * Counted so: a requirement that is not verified needs all settings that its test cases lack, and is left out if something else, too, keeps it from
 * being verified. Settings that only help together are one entry: of the sets that single requirements need, the one that enables the most
 * requirements for each of its settings, then the same again for what is still missing. Each requirement is in one entry, the last that it needs: an
 * entry counts what it enables in addition to those before it.
 */
export function missingSettings(result: ContractResult): Enabling[] {
  const needs = [...needsOf(result)].map(([id, settings]) => ({ id, settings }));
  const groups = grouped(needs).toSorted((one, other) => other.ids.length - one.ids.length);
  const entries = groups.map(({ settings }): Enabling => ({ settings, ids: [] }));
  for (const { id, settings } of needs)
    entries.findLast((entry) => entry.settings.some((one) => settings.includes(one)))?.ids.push(id);
  return entries;
}

/** Each missing setting in one group, with the requirements that it enables after the groups before it. */
function grouped(all: Needs): Enabling[] {
  const groups: Enabling[] = [];
  let needs = all;
  while (needs.length > 0) {
    const best = mostUseful(needs);
    groups.push(best);
    needs = needs
      .filter(({ id }) => !best.ids.includes(id))
      .map(({ id, settings }) => ({ id, settings: settings.filter((one) => !best.settings.includes(one)) }));
  }
  return groups;
}

type Needs = readonly { id: string; settings: readonly string[] }[];

function mostUseful(needs: Needs): Enabling {
  const sets = new Map(needs.map(({ settings }) => [settings.join(" "), settings]));
  const entries = [...sets.values()].map((settings): Enabling => {
    const enabled = needs.filter((one) => one.settings.every((setting) => settings.includes(setting)));
    return { settings: [...settings], ids: enabled.map(({ id }) => id) };
  });
  const usefulness = ({ settings, ids }: Enabling): number => ids.length / settings.length;
  const [best = { settings: [], ids: needs.map(({ id }) => id) }] = entries.sort(
    (one, other) => usefulness(other) - usefulness(one) || other.ids.length - one.ids.length,
  );
  return best;
}

/** The missing settings of each requirement that is not verified for nothing else, by id. */
function needsOf({ requirements, checks }: ContractResult): Map<string, string[]> {
  const needs = new Map<string, string[]>();
  for (const { id, reason: own } of requirements.filter(({ verdict }) => verdict === "not verified")) {
    const cases = checks.filter(({ ids }) => ids.includes(id)).flatMap((check) => check.cases);
    const reasons = cases.flatMap(({ verdict, reason }) => (verdict === "not verified" ? [reason] : []));
    const lists = (reasons.length === 0 ? [own] : reasons).map((reason) => settingsIn(reason));
    const known = lists.flatMap((list) => list ?? []);
    if (!lists.includes(undefined)) needs.set(id, [...new Set(known)].toSorted());
  }
  return needs;
}

/** The settings that a reason names; undefined for another reason. */
function settingsIn(reason = ""): string[] | undefined {
  const [, several, one] = /^Not configured: (.*)\.$|^([\w.]+) is not configured\.$/.exec(reason) ?? [];
  return several?.split(", ") ?? (one === undefined ? undefined : [one]);
}
