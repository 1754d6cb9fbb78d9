import { describe, expect, test } from "vitest";
import { planOf } from "../../contract/plan.ts";
import { requirements } from "../../generated/requirements.ts";
import { readBundle } from "../../scripts/document/read-bundle.ts";
import { isOfClients, type TracedCheck, tracedChecks } from "../../scripts/trace/checks.ts";
import { demoSettings } from "../mutants/demo.ts";

/** The ids of the checks that are defined, without what responses encode. */
async function idsOf(isWanted: (check: TracedCheck) => boolean): Promise<Set<string>> {
  const checks = (await tracedChecks(await readBundle())).filter(({ file }) => !file.endsWith("/body.ts"));
  return new Set(checks.filter(isWanted).flatMap((check) => check.ids));
}

describe("the suite", () => {
  // Which requirements have which checks is in generated/trace.json.
  test.each([
    ["servers", (check: TracedCheck) => !isOfClients(check)],
    ["clients", isOfClients],
  ])("for %s verifies only existing requirements", async (_, isOfKind) => {
    const ids = await idsOf(isOfKind);
    expect(ids.size).toBeGreaterThan(0);
    expect([...ids].filter((id) => !(id in requirements))).toEqual([]);
  });

  test("starts with the checks that wait for the server: the others run meanwhile", () => {
    const waits = planOf(demoSettings()).concurrent.map(({ check }) => check.waits);
    const count = waits.filter(Boolean).length;
    expect(count).toBeGreaterThan(0);
    expect(waits.indexOf(false)).toBe(count);
  });
});
