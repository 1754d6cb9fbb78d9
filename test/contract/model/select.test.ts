import { expect, test } from "vitest";
import { sequenceChecks } from "../../../contract/checks/sequences.ts";
import { planOf } from "../../../contract/plan.ts";
import { demoSettings } from "../../mutants/demo.ts";
import { runOnSandbox } from "../../mutants/harness.ts";

test.each([
  [{}, "the selected sequences", (requests: number) => requests > 300],
  [{ sequences: 1 }, "a sequence from the first seed", (requests: number) => requests < 50],
  [{ seed: 5 }, "a few sequences from another seed", (requests: number) => requests < 300],
] as const)("with %o, the profile email sends %s", async (sequences, _, isRight) => {
  // A slow machine sends as many as any other.
  const settings = { ...demoSettings("email"), sequences: { seconds: 600, ...sequences } };
  const [outcome] = await runOnSandbox({
    settings,
    plans: [planOf({ ...settings, without: ["clock"] }, /sequences of email requests/)],
  });
  expect(outcome).toMatchObject({ verdict: "pass" });
  expect(outcome?.requests).toSatisfy(isRight);
});

test("a run without some settings has all sequences", () => {
  const plan = planOf({ ...demoSettings("full"), without: ["pages"] });
  const planned = plan.map(({ check }) => check);
  expect(sequenceChecks.filter((one) => !planned.includes(one))).toEqual([]);
});
