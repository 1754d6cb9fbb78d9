import { expect, test } from "vitest";
import { measureCosts } from "../../../scripts/contract/costs.ts";
import { startTarget } from "../../../scripts/contract/targets.ts";
import { forecast, minutesOf, sumOf, usualCosts } from "../../contract/config/costs.ts";
import { nameOf, planOf } from "../../contract/plan.ts";

/** What to do when one of these fails. */
const remedy = "Run `node scripts/contract/costs.ts`.";

test.each(["core", "full"] as const)(
  "what each law of the profile %s sends was measured",
  async (profile) => {
    const { settings, close } = await startTarget("sandbox", profile);
    await close();
    const { together, oneByOne } = planOf(settings);
    const laws = new Set([...together, ...oneByOne].map(({ check }) => nameOf(check)));
    expect(Object.keys(usualCosts[profile]).sort(), remedy).toEqual([...laws].sort());
  },
);

test("what was measured is no more than a tenth off", async () => {
  const now = sumOf(Object.values(await measureCosts("core")));
  const then = sumOf(Object.values(usualCosts.core));
  for (const name of ["requests", "messages", "recipients"] as const)
    expect(Math.abs(then[name] - now[name]) / now[name], `${name}: ${remedy}`).toBeLessThan(0.1);
});

test("a law of which some cases run sends their part", async () => {
  const { settings, close } = await startTarget("sandbox", "full");
  await close();
  const cost = { trials: 3, requests: { "POST /api/v1/emails": 6 }, paced: 6, messages: 3, recipients: 9 };
  const plan = planOf(settings, /^IDEM-1 the same key/);
  const name = nameOf(plan.together[0]?.check ?? { ids: [], title: "" });
  const without = { ...settings, fixtures: { ...settings.fixtures, lists: {} } };
  const { laws, missing } = forecast(without, plan, {}, { core: {}, full: { [name]: cost } });
  expect(laws).toMatchObject([
    { trials: 2, requests: { "POST /api/v1/emails": 4 }, messages: 2, recipients: 6 },
  ]);
  expect(missing).toMatchObject([{ needs: ["lists.plain"], inPart: true }]);
  expect(forecast(settings, plan, {}, { core: {}, full: {} }).laws).toMatchObject([{ isUnknown: true }]);
});

test.each([
  [0, 120, 0],
  [120, 120, 0],
  [121, 120, 1],
  [350, 120, 2],
])("%i requests of %i a minute wait %i minutes", (paced, limit, minutes) => {
  expect(minutesOf(paced, limit)).toBe(minutes);
});
