import { describe, expect, test } from "vitest";
import { missingNeeds, needsOfCase } from "../../contract/engine/run-case.ts";
import { omissible, tags } from "../../contract/engine/settings.ts";
import { planOf } from "../../contract/plan.ts";
import { requirementsOf } from "../../contract/verifiable.ts";
import { demoSettings } from "../mutants/demo.ts";
import { runOnSandbox } from "../mutants/harness.ts";

const settings = demoSettings("full");
const nothing = { ...settings, fixtures: {}, hooks: {}, keys: { full: "a-key" } };
const ofTags = omissible.filter((name) => tags.some((tag) => tag === name));

describe("without", () => {
  test.each(omissible.filter((name) => !ofTags.includes(name as never)))(
    "%s leaves out what needs it",
    (name) => {
      const left = planOf({ ...settings, without: [name] });
      expect(left.filter(({ testCase }) => needsOfCase(testCase).includes(name as never))).toEqual([]);
      expect(left.length).toBeGreaterThan(500);
    },
  );

  test("has a word for all that a run may lack, but for what every server of a product has", () => {
    const lacking = planOf({ ...settings, without: [...omissible] }).flatMap(({ testCase }) =>
      missingNeeds(nothing, needsOfCase(testCase)),
    );
    expect([...new Set(lacking)].toSorted()).toEqual(["domains.verified", "lists.plain", "simulatorDomain"]);
  });
});

test("the profile core, which causes no 429 rate_limited, is not about HEAD-8", () => {
  const core = demoSettings("core");
  expect(requirementsOf(core, planOf(core))).not.toContain("HEAD-8");
  expect(requirementsOf(settings, planOf(settings))).toContain("HEAD-8");
});

test("without a custom field that could be lost, that none is lost is not verified", async () => {
  const { text, date } = settings.fixtures.fields ?? {};
  const verdictsWith = async (fields: object) => {
    const fixtures = { ...settings.fixtures, fields };
    const plan = planOf(settings, /keeps the values of custom fields|leaves the custom fields/);
    const outcomes = await runOnSandbox({ settings: { ...settings, fixtures }, plans: [plan] });
    return outcomes.map(({ verdict }) => verdict);
  };
  expect(await verdictsWith({})).toEqual(["not verified", "not verified"]);
  expect(await verdictsWith({ text, date })).toEqual(["not verified", "pass"]);
});
