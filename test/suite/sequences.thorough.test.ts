import { describe, expect, test } from "vitest";
import { planOf } from "../contract/plan.ts";
import { allMutants } from "../mutants/all-mutants.ts";
import { runOnSandbox } from "../mutants/harness.ts";
import { demoSettings } from "../mutants/rig/demo.ts";

const settings = demoSettings("model");
const plan = planOf(settings);
const mutants = await allMutants();

describe("random sequences of requests", () => {
  test("match the model on the sandbox, and name the requirements that they verify", async () => {
    const outcomes = await runOnSandbox({ plans: [plan], settings });
    expect(outcomes.map(({ verdict }) => verdict)).toEqual(["pass", "pass", "pass", "pass"]);
    const ids = new Set(outcomes.flatMap((outcome) => outcome.ids));
    for (const id of ["SEND-34", "SCHED-14", "IDEM-2", "MEMB-16", "UNSUB-5"]) expect(ids).toContain(id);
  });

  // The most requests of the shortest sequence that shows the fault, lookups included.
  test.each([
    ["IDEM-1", "the key of a contact is ignored", 4],
    ["SCHED-13", "cannot cancel a scheduled message", 4],
    ["MEMB-13", "", 3],
    ["UNSUB-5", "", 6],
    ["SEND-34", "", 5],
  ])("find a server that violates %s (%s), with at most %i requests", async (requirement, title, most) => {
    const mutant = mutants.find((one) => one.requirement === requirement && one.title.includes(title));
    if (mutant === undefined) throw new Error(`there is no mutant of ${requirement}: ${title}`);
    const outcomes = await runOnSandbox({ plans: [plan], settings, intercept: mutant.intercept });
    const failed = outcomes.find(({ verdict }) => verdict === "fail");
    expect(failed?.failure, `${mutant.title}: nothing failed`).toBeDefined();
    expect(failed?.ids.length).toBeGreaterThan(0);
    expect(failed?.failure?.exchange, JSON.stringify(failed?.failure)).toBeLessThan(most);
  });
});
