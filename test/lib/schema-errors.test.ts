import { expect, test } from "vitest";
import { rejectProblems, schemaProblems } from "../../lib/schema-errors.ts";
import { parseYaml } from "../../lib/yaml-source.ts";

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
  [{ name: 5 }, "name: must be a string (What people call it) (got 5)"],
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
  const reject = (): void => rejectProblems(problems, { subject: "The file", hint: "Fix it.", ...options });
  expect(reject).toThrow(/\*\*\* is not a known property/);
  expect(reject).not.toThrow(new RegExp(secret));
});

test("a rejected file names line and column of each problem", () => {
  const source = parseYaml("name: a\nlimits:\n  - 1\n  - 0\n", "limits.yaml");
  const reject = (): void =>
    rejectProblems(schemaProblems(schema, source.value), { subject: "limits.yaml", hint: "Fix it.", source });
  expect(reject).toThrow(
    "limits.yaml is invalid (1 problem):\n  limits.yaml:4:5 limits[1] must be >= 1 (got 0)",
  );
});
