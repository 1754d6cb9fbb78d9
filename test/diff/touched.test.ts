import { expect, test } from "vitest";
import { type OasdiffChange, oasdiffChanges } from "../../scripts/diff/oasdiff.ts";
import { frozenRelease } from "../../scripts/release/releases.ts";
import { labelledChanges } from "./changes/all.ts";
import { documentsOf } from "./changes/change.ts";

// One of twenty: a whole document takes it thrice as long as what differs.
const some = labelledChanges
  .filter((_, index) => index % 20 === 0)
  .map((change) => [change.title, change] as const);

test.each(some)("oasdiff finds the same where it reads only what differs: %s", async (_, change) => {
  const documents = documentsOf(await frozenRelease("1.0.0"), change);
  const [part, whole] = await Promise.all([
    oasdiffChanges(...documents),
    oasdiffChanges(...documents, { isWhole: true }),
  ]);
  const told = (changes: OasdiffChange[]): string[] =>
    changes.map(({ id, level, operation, path }) => `${id} ${level} ${operation} ${path}`).sort();
  expect(told(part)).toEqual(told(whole));
});
