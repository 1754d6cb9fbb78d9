import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type Comparison, comparisonOf, type Difference } from "../../scripts/diff/difference.ts";
import { judged } from "../../scripts/diff/judge.ts";
import { ownPolicy, type Verdict } from "../../scripts/diff/policy.ts";
import { findDifferences } from "../../scripts/diff/root.ts";
import type { Node } from "../../scripts/document/values.ts";
import { root } from "../../scripts/paths.ts";
import { frozenRelease } from "../../scripts/release/releases.ts";
import { labelledChanges } from "./changes/all.ts";
import { documentsOf, type LabelledChange } from "./changes/change.ts";
import { changesOfAll } from "./changes/together.ts";

const order: Verdict[] = ["breaking", "allowed", "editorial"];
const results = new Map<LabelledChange, Comparison>();

beforeAll(async () => {
  const release: Node = await frozenRelease("1.0.0");
  const pairs = labelledChanges.map((change) => documentsOf(release, change));
  const seen = await changesOfAll(pairs);
  const policy = ownPolicy();
  // As `diff` does it, which would start oasdiff for each.
  for (const [index, change] of labelledChanges.entries()) {
    const [before, after] = pairs[index] as [Node, Node];
    const found = findDifferences(before, after);
    results.set(change, comparisonOf(judged(found, seen[index] ?? [], { before, after, policy })));
  }
});

const resultOf = (change: LabelledChange): Comparison => {
  const result = results.get(change);
  if (result === undefined) throw new Error(`${change.title} was not compared`);
  return result;
};

describe("each labelled change is judged as labelled", () => {
  test.each(labelledChanges.map((change) => [change.title, change] as const))("%s", (_, change) => {
    const { counts, differences } = resultOf(change);
    const verdict = order.find((one) => counts[one] > 0);
    expect(verdict).toBe(change.verdict);
    const leading = differences.filter((one) => one.verdict === verdict);
    expect(leading.map(({ requirement }) => requirement)).toContain(change.requirement);
  });
});

test("no two labelled changes have the same title, and there are at least 120 of them", () => {
  const titles = new Set(labelledChanges.map(({ title }) => title));
  expect(titles.size).toBe(labelledChanges.length);
  expect(labelledChanges.length).toBeGreaterThanOrEqual(120);
});

test("the guide tells how many labelled changes there are", () => {
  const guide = readFileSync(join(root, "docs/versioning.md"), "utf8").replaceAll(/\s+/g, " ");
  expect(guide).toContain(`Of ${labelledChanges.length} labelled changes`);
});

test("no place is told twice", () => {
  for (const change of labelledChanges) {
    const places = resultOf(change).differences.map(({ side, pointer }) => `${side} ${pointer}`);
    expect(new Set(places).size, change.title).toBe(places.length);
  }
});

test("whatever oasdiff finds is explained by a difference, unless no comparison knows it", () => {
  const isOpen = ({ kind }: Difference): boolean => kind === "unexplained" || kind === "keyword-unknown";
  const changes = labelledChanges.filter((change) => resultOf(change).differences.some(isOpen));
  expect(changes.map(({ title }) => title)).toEqual(["a keyword is used that no comparison knows"]);
});

test("each kind of the policy is what some labelled change comes to", () => {
  const found = new Set(
    labelledChanges.flatMap((change) => resultOf(change).differences.map(({ kind }) => kind)),
  );
  expect([...ownPolicy().entries.keys()].filter((kind) => !found.has(kind))).toEqual([]);
});

test("each breaking difference says what to do instead", () => {
  const breaking = labelledChanges
    .flatMap((change) => resultOf(change).differences)
    .filter(({ verdict }) => verdict === "breaking");
  expect(breaking.filter(({ instead }) => instead === "")).toEqual([]);
});
