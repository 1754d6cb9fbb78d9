import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../../scripts/common/paths.ts";
import { type Comparison, knownKinds, verdicts } from "../../scripts/diff/comparison.ts";
import { diff } from "../../scripts/diff/documents.ts";
import { frozenRelease } from "../../scripts/diff/releases.ts";
import { labelledChanges } from "./changes/all.ts";
import { documentsOf, type LabelledChange } from "./changes/change.ts";

const release = await frozenRelease("1.0.0");
const results = labelledChanges.map((change): [LabelledChange, Comparison] => [
  change,
  diff(...documentsOf(release, change)),
]);

describe("each labelled change has the verdict and the requirement of its label", () => {
  test.each(results.map(([change, result]) => [change.title, change, result] as const))(
    "%s",
    (_, change, { counts, differences }) => {
      const verdict = verdicts.find((one) => counts[one] > 0);
      expect(verdict).toBe(change.verdict);
      const leading = differences.filter((one) => one.verdict === verdict);
      expect(leading.map(({ requirement }) => requirement)).toContain(change.requirement);
    },
  );
});

test("no two labelled changes have the same title, and there are at least 120 of them", () => {
  const titles = new Set(labelledChanges.map(({ title }) => title));
  expect(titles.size).toBe(labelledChanges.length);
  expect(labelledChanges.length).toBeGreaterThanOrEqual(120);
});

test("the guide has the number of labelled changes", () => {
  const guide = readFileSync(join(root, "docs/versioning.md"), "utf8").replaceAll(/\s+/g, " ");
  expect(guide).toMatch(new RegExp(`\\b${labelledChanges.length} labelled changes`));
});

test("no place is reported twice", () => {
  for (const [{ title }, { differences }] of results) {
    const places = differences.map(({ document, pointer }) => `${document} ${pointer}`);
    expect(new Set(places).size, title).toBe(places.length);
  }
});

test("only a keyword that the comparison does not support is reported as unknown", () => {
  const unknown = results.filter(([, { differences }]) =>
    differences.some(({ kind }) => kind === "unknown-keyword"),
  );
  expect(unknown.map(([{ title }]) => title)).toEqual(["an unsupported keyword is used"]);
});

test("each kind of the policy is covered by a labelled change", () => {
  const found = new Set(results.flatMap(([, { differences }]) => differences.map(({ kind }) => kind)));
  expect(knownKinds().filter((kind) => !found.has(kind))).toEqual([]);
});

test("each breaking difference has advice, and no message has an unfilled placeholder", () => {
  const all = results.flatMap(([, { differences }]) => differences);
  expect(all.filter(({ verdict, advice }) => verdict === "breaking" && advice === "")).toEqual([]);
  expect(all.filter(({ message, advice }) => /\{(name|before|after)\}/.test(`${message}${advice}`))).toEqual(
    [],
  );
});
