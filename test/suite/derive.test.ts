import { describe, expect, test } from "vitest";
import type { Oracle } from "../contract/cases/boundaries.ts";
import type { Case } from "../contract/cases/case.ts";
import { deriveCases } from "../contract/cases/derive.ts";
import type { Document, Schema } from "../contract/document.ts";

const always: Oracle = { fits: () => true, accepts: () => false };

/** The cases of one operation whose body has this schema and these examples. */
function derived(
  schema: Schema,
  examples: unknown[],
  { schemas = {}, oracle = always }: { schemas?: Record<string, Schema>; oracle?: Oracle } = {},
): Case[] {
  const named = Object.fromEntries(examples.map((value, index) => [`number_${index}`, { value }]));
  const content = { "application/json": { schema, examples: named } };
  const post = { operationId: "post", requestBody: { content }, responses: {} };
  return deriveCases({ paths: { "/": { post } }, components: { schemas } } as Document, oracle);
}

/** What is claimed of which body, without the examples and the words. */
const claims = (cases: Case[], keyword: string): [boolean, unknown][] =>
  cases.filter((one) => one.keyword === keyword).map(({ accepted, body }) => [accepted, body]);

const object = (properties: Record<string, Schema>, rest: Schema = {}): Schema => ({
  type: "object",
  properties,
  ...rest,
});

describe("a keyword leads to a value on either side of what it says:", () => {
  const given: {
    keyword: string;
    schema: Schema;
    example: unknown;
    others?: unknown[];
    want: [boolean, unknown][];
  }[] = [
    {
      keyword: "maxLength",
      schema: object({ a: { type: "string", maxLength: 3 } }),
      example: { a: "xy" },
      want: [
        [true, { a: "xyx" }],
        [false, { a: "xyxx" }],
      ],
    },
    {
      keyword: "minLength",
      schema: object({ a: { type: "string", minLength: 1 } }),
      example: { a: "xy" },
      want: [
        [true, { a: "x" }],
        [false, { a: "" }],
      ],
    },
    {
      keyword: "maxItems",
      schema: object({ a: { type: "array", maxItems: 2 } }),
      example: { a: ["b"] },
      want: [
        [true, { a: ["0b", "1b"] }],
        [false, { a: ["0b", "1b", "2b"] }],
      ],
    },
    {
      keyword: "minItems",
      schema: object({ a: { type: "array", minItems: 1 } }),
      example: { a: [1, 2] },
      want: [
        [true, { a: [1] }],
        [false, { a: [] }],
      ],
    },
    {
      keyword: "maxProperties",
      schema: object({ a: { type: "object", maxProperties: 1 } }),
      example: { a: { b: 1, c: 2 } },
      want: [
        [true, { a: { "b-0": 1 } }],
        [false, { a: { "b-0": 1, "b-1": 1 } }],
      ],
    },
    {
      keyword: "maximum",
      schema: object({ a: { type: "integer", maximum: 9 } }),
      example: { a: 3 },
      want: [
        [true, { a: 9 }],
        [false, { a: 10 }],
      ],
    },
    {
      keyword: "minimum",
      schema: object({ a: { type: "integer", minimum: 0 } }),
      example: { a: 3 },
      want: [
        [true, { a: 0 }],
        [false, { a: -1 }],
      ],
    },
    {
      keyword: "enum",
      schema: object({ a: { type: "string", enum: ["b", "c"] } }),
      example: { a: "d" },
      want: [
        [true, { a: "b" }],
        [true, { a: "c" }],
        [false, { a: "no b" }],
      ],
    },
    {
      keyword: "required",
      schema: object({}, { required: ["a", "b"] }),
      example: { a: 1, b: 2, c: 3 },
      want: [
        [false, { b: 2, c: 3 }],
        [false, { a: 1, c: 3 }],
      ],
    },
    {
      keyword: "not",
      schema: object({ a: {} }, { not: { anyOf: [{ required: ["a"] }] } }),
      example: { c: 3 },
      others: [{ a: 1 }],
      want: [[false, { c: 3, a: 1 }]],
    },
    {
      keyword: "if",
      // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
      schema: object({ a: {}, b: {} }, { if: { not: { required: ["a"] } }, then: { required: ["b"] } }),
      example: { a: 1, b: 2, c: 3 },
      want: [
        [false, { c: 3 }],
        [true, { c: 3, a: 1 }],
        [true, { c: 3, b: 2 }],
        [true, { c: 3, a: 1, b: 2 }],
      ],
    },
    {
      keyword: "type",
      schema: object({ a: { type: ["string", "null"] } }),
      example: { a: "b" },
      want: [
        [false, "text"],
        [false, { a: true }],
        [true, { a: "text" }],
        [true, { a: null }],
      ],
    },
  ];
  test.each(given)("$keyword", ({ keyword, schema, example, others = [], want }) => {
    expect(claims(derived(schema, [example, ...others]), keyword)).toEqual(want);
  });
});

describe("a wrong type is the mistake that people make:", () => {
  test.each([
    ["one text in place of a list of texts", { type: "array" }, ["b"], ["b"]],
    ["a number as text, and a broken one", { type: "integer" }, 41, ["41", 1.5]],
    ["a truth value as text", { type: "boolean" }, true, ["true"]],
    ["a number in place of a text", { type: "string" }, "b", [7]],
  ])("%s", (_, schema, value, wrong) => {
    const found = claims(derived(object({ a: schema }), [{ a: value }]), "type");
    expect(found.slice(1)).toEqual(wrong.map((one) => [false, { a: one }]));
  });
});

test("a field that no example has is filled in", () => {
  const cases = derived(object({ a: { type: "string", maxLength: 2 } }), [{ b: 1 }]);
  expect(claims(cases, "maxLength")).toEqual([
    [true, { b: 1, a: "te" }],
    [false, { b: 1, a: "tex" }],
  ]);
});

test("a field is filled in with what the examples give its component elsewhere", () => {
  const schemas = { Tag: { type: "string", maxLength: 2 } };
  const schema = object({ a: { $ref: "#/components/schemas/Tag" }, b: { $ref: "#/components/schemas/Tag" } });
  const cases = derived(schema, [{ a: "q" }], { schemas });
  expect(claims(cases, "maxLength")).toContainEqual([false, { a: "q", b: "qxx" }]);
});

test("every alternative is tried in an example that fits it", () => {
  const schemas = {
    One: object({ first: { type: "string", maxLength: 1 } }),
    Two: object({ second: { type: "string", maxLength: 1 } }),
  };
  const fits = (name: string, value: unknown) => (name === "One" ? "first" : "second") in (value as object);
  const schema = { oneOf: [{ $ref: "#/components/schemas/One" }, { $ref: "#/components/schemas/Two" }] };
  const cases = derived(schema, [{ first: "a" }, { second: "b" }], { schemas, oracle: { ...always, fits } });
  expect(
    cases
      .filter(({ accepted, keyword }) => !accepted && keyword === "maxLength")
      .map(({ title, body }) => [title, body]),
  ).toEqual([
    ["post (One): a first of 2 characters is refused", { first: "ax" }],
    ["post (Two): a second of 2 characters is refused", { second: "bx" }],
  ]);
});

test("the smallest body is what the document still accepts", () => {
  const accepts = (_: string, body: unknown) => "a" in (body as object);
  const cases = derived(object({ a: {}, b: {}, c: {} }), [{ a: 1, b: 2, c: 3 }], {
    oracle: { ...always, accepts },
  });
  expect(claims(cases, "properties")).toEqual([[true, { a: 1 }]]);
});

test("a bound marked as the document's own is not tried", () => {
  const schema = object({ a: { type: "string", maxLength: 3, "x-technical-limit": true } });
  expect(claims(derived(schema, [{ a: "b" }]), "maxLength")).toEqual([]);
});

describe("nothing is passed over in silence:", () => {
  test.each([
    ["a keyword without cases", object({ a: { type: "array", uniqueItems: true } }), "has uniqueItems"],
    [
      "a pattern without texts",
      object({ a: { type: "string", pattern: "^b$" } }),
      "add them to witnesses.ts",
    ],
    ["a `not` of another form", object({}, { not: { type: "string" } }), "has `not` in a form"],
    [
      "an `if` of another form",
      // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
      object({}, { if: { required: ["a"] }, then: { required: ["b"] } }),
      "has `if` in a form",
    ],
    ["an alternative without a name", { oneOf: [object({})] }, "has an alternative without a name"],
  ])("%s", (_, schema, message) => {
    expect(() => derived(schema, [{ a: "b" }])).toThrow(message);
  });

  test("a request that two cases claim opposite things of", () => {
    const schema = object({ a: { type: "string", enum: ["b", "no b"] } });
    expect(() => derived(schema, [{ a: "c" }])).toThrow("are the same request");
  });

  test("an alternative that no example fits", () => {
    const schemas = { One: object({}) };
    const schema = { oneOf: [{ $ref: "#/components/schemas/One" }] };
    const oracle = { ...always, fits: () => false };
    expect(() => derived(schema, [{}], { schemas, oracle })).toThrow(
      "no example of post has a One in it: give one",
    );
  });
});
