import { expect, test } from "vitest";
import { type OasdiffChange, oasdiffChanges, readable, runOasdiff } from "../../scripts/diff/oasdiff.ts";
import { frozenRelease } from "../../scripts/release/releases.ts";
import { labelledChanges } from "./changes/all.ts";
import { documentsOf } from "./changes/change.ts";
import { changesOfAll } from "./changes/together.ts";

// One of twenty: a whole document takes it thrice as long as what differs.
const some = labelledChanges.filter((_, index) => index % 20 === 0);

test("oasdiff finds the same in whole documents, in what differs, and in many together", async () => {
  const release = await frozenRelease("1.0.0");
  const pairs = some.map((change) => documentsOf(release, change));
  const told = (changes: OasdiffChange[]): string[] =>
    changes.map(({ id, level, operation, path }) => `${id} ${level} ${operation} ${path}`).sort();
  const whole = await Promise.all(pairs.map((pair) => runOasdiff(...readable(...pair, { isWhole: true }))));
  const single = await Promise.all(pairs.map((pair) => oasdiffChanges(...pair)));
  const together = await changesOfAll(pairs);
  expect(whole.flat().length).toBeGreaterThan(10);
  expect(single.map(told)).toEqual(whole.map(told));
  expect(together.map(told)).toEqual(whole.map(told));
});
