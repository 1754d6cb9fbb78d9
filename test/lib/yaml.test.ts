import { expect, test } from "vitest";
import { assertNoProblems, schemaProblems } from "../../lib/schema-errors.ts";
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

const schema = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string", description: "What people call it." },
    size: { enum: ["small", "large"] },
    limits: { type: "array", items: { type: "integer", minimum: 1 } },
  },
  additionalProperties: false,
};

const messages = (value: unknown, options = {}): string[] =>
  schemaProblems(schema, value, options).map(({ path, message }) => `${path.join(".")}: ${message}`);

test.each([
  [{}, ": must have the property name"],
  [{ name: 5 }, "name: must be a string in quotes (What people call it) (got 5)"],
  [{ name: [] }, "name: must be a string (What people call it) (got [])"],
  [{ name: "a", size: "huge" }, 'size: must be one of small, large (got "huge")'],
  [{ name: "a", colour: 1 }, "colour: is not a known property; the known ones are name, size, limits"],
  [{ name: "a", limits: [0] }, "limits.0: must be >= 1 (got 0)"],
])("%j is reported as %s", (value, message) => {
  expect(messages(value)).toEqual([message]);
});

test("a valid value has no problems", () => {
  expect(messages({ name: "a", size: "small", limits: [1, 2] })).toEqual([]);
});

test("hidden values appear neither in messages nor in paths", () => {
  const secret = "sk_live_0123456789";
  const options = { hideValues: true };
  const problems = schemaProblems(schema, { name: 5, [secret]: secret }, options);
  const reject = (): void => assertNoProblems(problems, { subject: "The file", hint: "Fix it.", ...options });
  expect(reject).toThrow(/\*\*\* is not a known property/);
  expect(reject).not.toThrow(new RegExp(secret));
});

test("a rejected file names line and column of each problem", () => {
  const source = parseYaml("name: a\nlimits:\n  - 1\n  - 0\n", "limits.yaml");
  const reject = (): void =>
    assertNoProblems(schemaProblems(schema, source.value), {
      subject: "limits.yaml",
      hint: "Fix it.",
      source,
    });
  expect(reject).toThrow(
    "limits.yaml is invalid (1 problem):\n  limits.yaml:4:5 limits[1] must be >= 1 (got 0)",
  );
});
