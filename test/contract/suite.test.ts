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
  test("verifies these requirements, and only existing ones", async () => {
    const ids = await idsOf((check) => !isOfClients(check));
    expect([...ids].filter((id) => !(id in requirements))).toEqual([]);
    expect(
      Object.keys(requirements)
        .filter((id) => ids.has(id))
        .join(" "),
    ).toMatchSnapshot();
  });

  test("for clients verifies only existing requirements", async () => {
    const ids = await idsOf(isOfClients);
    expect([...ids].filter((id) => !(id in requirements))).toEqual([]);
  });

  test("starts with the checks that wait for the server: the others run meanwhile", () => {
    const waits = planOf(demoSettings()).concurrent.map(({ check }) => check.waits);
    const count = waits.filter(Boolean).length;
    expect(count).toBeGreaterThan(0);
    expect(waits.indexOf(false)).toBe(count);
  });
});
