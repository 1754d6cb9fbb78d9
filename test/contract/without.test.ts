import { describe, expect, test } from "vitest";
import { missingNeeds, needsOfCase } from "../../contract/engine/run-case.ts";
import { omissible, tags } from "../../contract/engine/settings.ts";
import { outsideOf, planOf } from "../../contract/plan.ts";
import { requirementsOf, unverifiable } from "../../contract/verifiable.ts";
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

describe("in core, a requirement that needs no operation of notImplemented is verified without it", () => {
  test.each([
    ["rescheduleEmail", ["SCHED-13", "SCHED-14", "SCHED-20", "SCHED-21"], ["SCHED-9"]],
    ["cancelEmail", ["SCHED-9", "SCHED-20", "SCHED-21"], ["SCHED-13", "SCHED-14"]],
    ["sendBatch", ["LOOK-22"], ["BATCH-14"]],
  ] as const)("%s", async (operation, verified, outside) => {
    const core = { ...demoSettings("core"), notImplemented: [operation] };
    const grep = new RegExp([...verified, ...outside].map((id) => `${id}(?!\\d)`).join("|"));
    const outcomes = await runOnSandbox({ settings: core, plans: [planOf(core, grep)] });
    expect(outcomes.map(({ verdict }) => verdict)).toEqual(outcomes.map(() => "pass"));
    const ids = outcomes.flatMap((outcome) => outcome.ids);
    expect(ids).toEqual(expect.arrayContaining([...verified]));
    for (const id of outside) expect(ids).not.toContain(id);
    expect([...requirementsOf(core, planOf(core))]).toEqual(expect.arrayContaining([...verified]));
  });
});

describe("a setting that only requirements of notImplemented need is not asked for", () => {
  const { lists: _, recipientDomain: __, ...fixtures } = settings.fixtures;
  const { manageOnly: ___, ...keys } = settings.keys;
  const newsletter = ["listNewsletterLists", "listCustomFields", "upsertContact"] as const;

  test.each([
    ["core", ["upsertContact"], [], ["UNSUB-3"]],
    ["full", ["upsertContact"], [], ["UNSUB-3"]],
    ["core", [...newsletter, "getContact", "unsubscribeContact"], [/^lists\./, /^keys\.manageOnly$/], []],
    ["full", [...newsletter, "getContact", "unsubscribeContact"], [/^lists\./, /^keys\.manageOnly$/], []],
  ] as const)("%s without %s", (profile, notImplemented, needs, ids) => {
    const lacking = { ...demoSettings(profile), fixtures, keys, notImplemented };
    const plan = planOf(lacking);
    const missing = unverifiable(lacking, plan);
    const asked = [...missing.values()].flatMap((names) => [...names]);
    for (const need of needs) expect(asked.filter((name) => need.test(name))).toEqual([]);
    for (const id of ids) expect([...missing.keys()]).not.toContain(id);
    for (const id of ids) expect([...outsideOf(lacking, plan).keys()]).toContain(id);
  });
});

test("operations that are needed outside the run are in one order", () => {
  const partly = { ...settings, notImplemented: ["sendEmail", "getContact", "cancelEmail"] as const };
  const needed = outsideOf({ ...partly, notImplemented: [...partly.notImplemented] }, planOf(partly));
  expect(Math.max(...[...needed.values()].map(({ size }) => size))).toBeGreaterThan(1);
  for (const own of needed.values()) expect([...own]).toEqual([...own].sort());
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
