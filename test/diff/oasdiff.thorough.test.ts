import { expect, test } from "vitest";
import { diff } from "../../scripts/diff/documents.ts";
import { frozenRelease } from "../../scripts/diff/inputs.ts";
import { operationsOf } from "../../scripts/document/operations.ts";
import type { Node } from "../../scripts/document/values.ts";
import { documentsOf, labelledChanges } from "./changes/change.ts";
import { changesOfAll, type OasdiffChange, reduced, runOasdiff } from "./oasdiff.ts";

// A cross-check with another tool, on the labelled changes.

const release = await frozenRelease("1.0.0");
const pairs = labelledChanges.map((change) => documentsOf(release, change));

test("oasdiff finds the same in whole documents, in what changed, and in merged documents", async () => {
  // One of twenty: a whole document takes three times as long as what changed.
  const some = pairs.filter((_, index) => index % 20 === 6);
  const keysOf = (changes: OasdiffChange[]): string[] =>
    changes.map(({ id, level, operation, path }) => `${id} ${level} ${operation} ${path}`).sort();
  const whole = await Promise.all(some.map((pair) => runOasdiff(...reduced(...pair, { isWhole: true }))));
  const single = await Promise.all(some.map((pair) => runOasdiff(...reduced(...pair))));
  const together = await changesOfAll(some);
  expect(whole.flat().length).toBeGreaterThan(10);
  expect(single.map(keysOf)).toEqual(whole.map(keysOf));
  expect(together.map(keysOf)).toEqual(whole.map(keysOf));
});

/** What oasdiff alone takes for breaking, and why it is not. */
const exceptions = new Map([
  [
    "a request format is removed: request-property-type-changed",
    "every value with the format is still valid",
  ],
  [
    "a technical limit of a request falls: request-property-max-length-decreased",
    "`x-technical-limit`: the limit is not part of the contract",
  ],
  ["a response format is added: response-property-type-changed", "values with the format were valid before"],
  [
    "anyOf becomes oneOf in a response: response-property-one-of-added",
    "the variants are the same, and only one may match",
  ],
  [
    "a request enum is removed: request-property-enum-value-removed",
    "the values of the enum are still valid",
  ],
]);

test("what oasdiff finds, the comparison finds in the same operation; what is breaking there is breaking here", async () => {
  const found = await changesOfAll(pairs);
  const missed: string[] = [];
  const lighter = new Set<string>();
  for (const [index, { title, topic }] of labelledChanges.entries()) {
    const documents = pairs[index] as [Node, Node];
    const { differences, counts } = diff(...documents);
    for (const change of found[index] ?? []) {
      const id = operationOf(change, documents);
      const isFound = differences.some(
        ({ operations: affected, pointer }) =>
          id === undefined || affected.includes(id) || pointer.startsWith("/security"),
      );
      if (!isFound) missed.push(`${title}: ${change.id} ${change.text}`);
      // oasdiff takes another way to write the same meaning for a change.
      if (change.level >= 3 && counts.breaking === 0 && topic !== "meaning")
        lighter.add(`${title}: ${change.id}`);
    }
  }
  expect(missed).toEqual([]);
  expect([...lighter].filter((one) => !exceptions.has(one))).toEqual([]);
  expect([...exceptions.keys()].filter((one) => !lighter.has(one))).toEqual([]);
});

function operationOf({ operation, path }: OasdiffChange, documents: Node[]): string | undefined {
  const all = documents.flatMap((document) => operationsOf(document));
  return all.find((one) => one.method === operation?.toLowerCase() && one.path === path)?.id;
}
