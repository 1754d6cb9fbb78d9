// `node scripts/contract/costs.ts`: measures on a sandbox what each law of the contract suite sends, for forecasts of runs.
import { AsyncLocalStorage } from "node:async_hooks";
import { writeFile } from "node:fs/promises";
import { type Cost, sumOf } from "../../test/contract/config/costs.ts";
import { createMeter, rolesOfFull } from "../../test/contract/config/meter.ts";
import { hooksOf } from "../../test/contract/engine/hooks.ts";
import { Run } from "../../test/contract/engine/run.ts";
import { runPlan } from "../../test/contract/engine/suite.ts";
import { nameOf, type PlannedCase, planOf } from "../../test/contract/plan.ts";
import { root } from "../paths.ts";
import { startTarget } from "./targets.ts";

/** What every law of a profile sends to a sandbox that has everything, by the law's name in alphabetical order. */
export async function measureCosts(profile: "core" | "full"): Promise<Record<string, Cost>> {
  const { settings, close } = await startTarget("sandbox", profile);
  const law = new AsyncLocalStorage<string>();
  const ofFull = rolesOfFull.map((role) => `Bearer ${settings.keys[role]}`);
  const meter = createMeter(
    fetch,
    () => law.getStore() ?? "",
    (authorization) => ofFull.includes(authorization ?? ""),
  );
  const trials: Record<string, number> = {};
  const named = ({ check, testCase: trial }: PlannedCase): PlannedCase => {
    const name = nameOf(check);
    trials[name] = (trials[name] ?? 0) + 1;
    return { check, testCase: { ...trial, run: (tester) => law.run(name, () => trial.run(tester)) } };
  };
  try {
    const plan = planOf(settings);
    const run = new Run({ settings, hooks: await hooksOf(settings), fetch: meter.fetch });
    await runPlan(run, { together: plan.together.map(named), oneByOne: plan.oneByOne.map(named) });
    const none: Omit<Cost, "trials"> = { requests: {}, paced: 0, messages: 0, recipients: 0 };
    const pairs = Object.entries(trials).map(([name, count]) => {
      const { requests, ...cost } = meter.costs[name] ?? none;
      return [name, { ...cost, trials: count, requests: sorted(requests) }] as const;
    });
    return sorted(Object.fromEntries(pairs));
  } finally {
    await close();
  }
}

const sorted = <Value>(given: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(given).sort(([one], [other]) => (one < other ? -1 : 1)));

if (import.meta.main) {
  const costs = { core: await measureCosts("core"), full: await measureCosts("full") };
  await writeFile(`${root}test/contract/config/costs.json`, `${JSON.stringify(costs, null, 2)}\n`);
  for (const [profile, laws] of Object.entries(costs)) console.log(profile, sumOf(Object.values(laws)));
}
