import { expect, test } from "vitest";
import { parseYaml } from "../../lib/yaml-source.ts";

const text = "accounts:\n  - name: one\n    keys: [a, b]\n";

test.each([
  [["accounts", 0, "keys", 1], { line: 3, column: 15 }],
  [["accounts", 0, "name"], { line: 2, column: 11 }],
  [["accounts", 0, "missing"], { line: 2, column: 5 }],
  [[], { line: 1, column: 1 }],
])("%j is at %j", (path, position) => {
  expect(parseYaml(text, "seed.yaml").positionOf(path)).toEqual(position);
});

test("JSON is parsed, with positions", () => {
  const source = parseYaml('{\n  "a": [1,\n    2]\n}', "a.json");
  expect(source.value).toEqual({ a: [1, 2] });
  expect(source.positionOf(["a", 1])).toEqual({ line: 3, column: 5 });
});

test.each([
  ["a: [1", /^bad\.yaml:1:\d+: invalid YAML or JSON: /],
  ["a: 1\n---\nb: 2\n", /^bad\.yaml: must contain one document/],
  ["a: 1\na: 2\n", /^bad\.yaml:2:1: invalid YAML or JSON: .*unique/],
])("%j is rejected", (content, message) => {
  expect(() => parseYaml(content, "bad.yaml")).toThrow(message);
});

test("an error can hide the content", () => {
  const parse = (): unknown => parseYaml("a: *sk_live_0123\n", "keys.yaml", { hideContent: true });
  expect(parse).toThrow(/^keys\.yaml/);
  expect(parse).not.toThrow(/sk_live/);
});

test("an empty text has no value", () => {
  expect(parseYaml("# nothing\n", "empty.yaml").value ?? undefined).toBeUndefined();
});
