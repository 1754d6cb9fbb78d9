import { describe, expect, it } from "vitest";
import type { TrialOutcome } from "../contract/engine/outcome.ts";
import { type Plan, type PlannedTrial, planOf } from "../contract/plan.ts";
import { tryBehind } from "./harness.ts";
import { demoSettings } from "./rig/demo.ts";
import { variants } from "./variants.ts";

const whole = planOf(demoSettings("full"));

/** Messages of dozens of megabytes take most of the time, and say nothing of any variant. */
const isLarge = ({ check }: PlannedTrial): boolean => check.ids.includes("ATT-13");
const plan: Plan = {
  together: whole.together.filter((planned) => !isLarge(planned)),
  oneByOne: whole.oneByOne.filter((planned) => !isLarge(planned)),
};

/** Everything but passes, in words. */
const alarms = (outcomes: TrialOutcome[]): string[] => [
  ...outcomes
    .filter(({ verdict }) => verdict !== "pass")
    .map(({ ids, law, title, verdict, reason, breach }) => {
      const why = breach === undefined ? reason : `expected ${breach.expected}, found ${breach.found}`;
      return `${verdict}: ${ids.join(" ")} ${law} (${title}): ${why}`;
    }),
  ...outcomes.flatMap(({ wire }) =>
    wire.flatMap(({ ids, law, breaches }) =>
      breaches.map(({ expected, found }) => `${ids.join(" ")} ${law}: expected ${expected}, found ${found}`),
    ),
  ),
];

describe("no alarm on a correct server that", () => {
  it("is one of at least 12", () => {
    expect(variants.length).toBeGreaterThan(12);
  });

  it.each(variants)("$title", { timeout: 120_000 }, async ({ between, sandbox }) => {
    const outcomes = await tryBehind({
      plans: [plan],
      ...(between === undefined ? {} : { between }),
      ...(sandbox === undefined ? {} : { sandbox }),
    });
    expect(alarms(outcomes)).toEqual([]);
  });
});
