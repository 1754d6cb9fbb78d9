import { describe, expect, test } from "vitest";
import type { DocumentValidators, OpenApiDocument, Schema } from "../../../contract/document.ts";
import type { Case } from "../../../contract/generated-cases/case.ts";
import { deriveCases } from "../../../contract/generated-cases/derive.ts";

const always: DocumentValidators = { isValid: () => true, accepts: () => false };

/** The cases of one operation with this body schema and these examples. */
function derived(
  schema: Schema,
  examples: unknown[],
  {
    schemas = {},
    validators = always,
  }: { schemas?: Record<string, Schema>; validators?: DocumentValidators } = {},
): Case[] {
  const named = Object.fromEntries(examples.map((value, index) => [`number_${index}`, { value }]));
  const content = { "application/json": { schema, examples: named } };
  const post = { operationId: "post", requestBody: { content }, responses: {} };
  return deriveCases(
    { paths: { "/": { post } }, components: { schemas } } as unknown as OpenApiDocument,
    validators,
  );
}

/** The expected result and the body of each case for a keyword. */
const results = (cases: Case[], keyword: string): [boolean, unknown][] =>
  cases.filter((one) => one.keyword === keyword).map(({ accepted, body }) => [accepted, body]);

const object = (properties: Record<string, Schema>, rest: Schema = {}): Schema => ({
  type: "object",
  properties,
  ...rest,
});

test("a property without an example is filled in", () => {
  const cases = derived(object({ a: { type: "string", maxLength: 2 } }), [{ b: 1 }]);
  expect(results(cases, "maxLength")).toEqual([
    [true, { b: 1, a: "te" }],
    [false, { b: 1, a: "tex" }],
  ]);
});

test("a property is filled in with the example of its component", () => {
  const schemas = { Tag: { type: "string", maxLength: 2 } };
  const schema = object({ a: { $ref: "#/components/schemas/Tag" }, b: { $ref: "#/components/schemas/Tag" } });
  const cases = derived(schema, [{ a: "q" }], { schemas });
  expect(results(cases, "maxLength")).toContainEqual([false, { a: "q", b: "qxx" }]);
});

test("every alternative has cases in a matching example", () => {
  const schemas = {
    One: object({ first: { type: "string", maxLength: 1 } }),
    Two: object({ second: { type: "string", maxLength: 1 } }),
  };
  const isValid = (name: string, value: unknown) =>
    (name === "One" ? "first" : "second") in (value as object);
  const schema = { oneOf: [{ $ref: "#/components/schemas/One" }, { $ref: "#/components/schemas/Two" }] };
  const cases = derived(schema, [{ first: "a" }, { second: "b" }], {
    schemas,
    validators: { ...always, isValid },
  });
  expect(
    cases
      .filter(({ accepted, keyword }) => !accepted && keyword === "maxLength")
      .map(({ title, body }) => [title, body]),
  ).toEqual([
    ["post (One): a first of 2 characters is rejected", { first: "ax" }],
    ["post (Two): a second of 2 characters is rejected", { second: "bx" }],
  ]);
});

test("a component of several alternatives has all its cases in the first one, and a violation in each other", () => {
  const Name = { type: "string", minLength: 1, maxLength: 2 };
  const name = { $ref: "#/components/schemas/Name" };
  const schemas = { Name, One: object({ name, first: {} }), Two: object({ name, second: {} }) };
  const isValid = (alternative: string, value: unknown) =>
    (alternative === "One" ? "first" : "second") in (value as object);
  const schema = { oneOf: [{ $ref: "#/components/schemas/One" }, { $ref: "#/components/schemas/Two" }] };
  const examples = [
    { first: "a", name: "b" },
    { second: "a", name: "b" },
  ];
  const cases = derived(schema, examples, { schemas, validators: { ...always, isValid } });
  const titles = cases.filter(({ field }) => field === "name").map(({ title }) => title);
  expect(titles).toEqual([
    "post (One): an integer as name is rejected",
    "post (One): a name of 2 characters is accepted",
    "post (One): a name of 3 characters is rejected",
    "post (One): a name of 0 characters is rejected",
    "post (Two): an integer as name is rejected",
    "post (Two): a name of 3 characters is rejected",
    "post (Two): a name of 0 characters is rejected",
  ]);
});

test("the smallest body is still valid", () => {
  const accepts = (_: string, body: unknown) => "a" in (body as object);
  const cases = derived(object({ a: {}, b: {}, c: {} }), [{ a: 1, b: 2, c: 3 }], {
    validators: { ...always, accepts },
  });
  expect(results(cases, "properties")).toEqual([[true, { a: 1 }]]);
});

test("a technical limit has no cases", () => {
  const schema = object({ a: { type: "string", maxLength: 3, "x-technical-limit": true } });
  expect(results(derived(schema, [{ a: "b" }]), "maxLength")).toEqual([]);
});

describe("generation fails with", () => {
  test.each([
    ["a keyword without cases", object({ a: { type: "array", uniqueItems: true } }), "has uniqueItems"],
    [
      "a pattern without texts",
      object({ a: { type: "string", pattern: "^b$" } }),
      "post.a has a format or a pattern without example texts",
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

  test("the same request as a valid and an invalid case", () => {
    const schema = object({ a: { type: "string", enum: ["b", "no b"] } });
    expect(() => derived(schema, [{ a: "c" }])).toThrow("are the same request");
  });

  test("an alternative without an example", () => {
    const schemas = { One: object({}) };
    const schema = { oneOf: [{ $ref: "#/components/schemas/One" }] };
    const validators = { ...always, isValid: () => false };
    expect(() => derived(schema, [{}], { schemas, validators })).toThrow(
      expect.objectContaining({
        message: "no example has a One in it",
        hint: expect.stringMatching(
          /^In a file of openapi\/examples\/ that is a request of post, add a line with /,
        ),
      }),
    );
  });
});

describe("a keyword has values on both sides of its limit:", () => {
  test.each<[keyword: string, of: Schema, example: unknown, accepted: unknown[], rejected: unknown[]]>([
    ["maxLength", { type: "string", maxLength: 3 }, "xy", ["xyx"], ["xyxx"]],
    ["minLength", { type: "string", minLength: 1 }, "xy", ["x"], [""]],
    ["maxItems", { type: "array", maxItems: 2 }, ["b"], [["0b", "1b"]], [["0b", "1b", "2b"]]],
    ["minItems", { type: "array", minItems: 1 }, [1, 2], [[1]], [[]]],
    [
      "maxProperties",
      { type: "object", maxProperties: 1 },
      { b: 1, c: 2 },
      [{ "b-0": 1 }],
      [{ "b-0": 1, "b-1": 1 }],
    ],
    ["maximum", { type: "integer", maximum: 9 }, 3, [9], [10]],
    ["minimum", { type: "integer", minimum: 0 }, 3, [0], [-1]],
    ["enum", { type: "string", enum: ["b", "c"] }, "d", ["b", "c"], ["no b"]],
  ])("%s", (keyword, schema, example, accepted, rejected) => {
    expect(results(derived(object({ a: schema }), [{ a: example }]), keyword)).toEqual([
      ...accepted.map((a) => [true, { a }]),
      ...rejected.map((a) => [false, { a }]),
    ]);
  });

  test.each<[keyword: string, Schema, examples: unknown[], want: [boolean, unknown][]]>([
    [
      "required",
      object({}, { required: ["a", "b"] }),
      [{ a: 1, b: 2, c: 3 }],
      [
        [false, { b: 2, c: 3 }],
        [false, { a: null, b: 2, c: 3 }],
        [false, { a: 1, c: 3 }],
        [false, { a: 1, b: null, c: 3 }],
      ],
    ],
    [
      "not",
      object({ a: {} }, { not: { anyOf: [{ required: ["a"] }] } }),
      [{ c: 3 }, { a: 1 }],
      [[false, { c: 3, a: 1 }]],
    ],
    [
      "if",
      // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
      object({ a: {}, b: {} }, { if: { not: { required: ["a"] } }, then: { required: ["b"] } }),
      [{ a: 1, b: 2, c: 3 }],
      [
        [false, { c: 3 }],
        [true, { c: 3, a: 1 }],
        [true, { c: 3, b: 2 }],
        [true, { c: 3, a: 1, b: 2 }],
      ],
    ],
    [
      "type",
      object({ a: { type: ["string", "null"] } }),
      [{ a: "b" }],
      [
        [false, "text"],
        [false, [{ a: "b" }]],
        [false, { a: true }],
        [true, { a: "text" }],
        [true, { a: null }],
      ],
    ],
  ])("%s", (keyword, schema, examples, want) => {
    expect(results(derived(schema, examples), keyword)).toEqual(want);
  });
});

describe("a wrong type is a likely mistake:", () => {
  test.each([
    ["a text or an object instead of a list of texts", { type: "array" }, ["b"], ["b", { 0: "b" }]],
    ["a text or a list instead of an object", { type: "object" }, { b: 1 }, ["text", [{ b: 1 }]]],
    ["null in a list", { type: "array", items: { type: "string" } }, ["b"], ["b", { 0: "b" }, [7], [null]]],
    ["a number as text, and a fraction", { type: "integer" }, 41, ["41", 1.5]],
    ["a boolean as text", { type: "boolean" }, true, ["true"]],
    ["a number instead of a text", { type: "string" }, "b", [7]],
  ])("%s", (_, schema, value, wrong) => {
    const found = results(derived(object({ a: schema }), [{ a: value }]), "type");
    // The first ones are instead of the whole object.
    expect(found.slice(2)).toEqual(wrong.map((one) => [false, { a: one }]));
  });
});

/** The query values with their expected results, of an operation with one query parameter. */
function queryCases(schema: Schema, rest: object = {}): [string, boolean, unknown][] {
  const parameter = { name: "a", in: "query", schema, ...rest };
  const get = { operationId: "list", parameters: [parameter], responses: {} };
  const cases = deriveCases(
    { paths: { "/": { get } }, components: {} } as unknown as unknown as OpenApiDocument,
    always,
  );
  return cases.map(({ keyword, accepted, query }) => [keyword, accepted, query.a]);
}

describe("a query parameter has cases for", () => {
  test.each([
    [
      "integers",
      { type: "integer", minimum: 1, maximum: 100 },
      [
        ["type", false, "text"],
        ["type", false, "1.5"],
        ["maximum", true, "100"],
        ["maximum", false, "101"],
        ["minimum", true, "1"],
        ["minimum", false, "0"],
      ],
    ],
    [
      "strings",
      { type: "string", minLength: 1, maxLength: 3 },
      [
        ["maxLength", true, "lis"],
        ["maxLength", false, "list"],
        ["minLength", true, "l"],
        ["minLength", false, ""],
      ],
    ],
    [
      "enums",
      { type: "string", enum: ["new", "old"] },
      [
        ["enum", true, "new"],
        ["enum", true, "old"],
        ["enum", false, "no new"],
      ],
    ],
    ["booleans", { type: "boolean" }, [["type", false, "text"]]],
  ] as [string, Schema, unknown[]][])("%s", (_, schema, want) => {
    expect(queryCases(schema)).toEqual(want);
  });

  test("a missing required parameter", () => {
    expect(queryCases({ type: "string" }, { required: true, example: "b" })).toEqual([
      ["required", false, undefined],
    ]);
  });

  test("only the bound that is not technical", () => {
    const schema = { type: "integer", minimum: 1, maximum: 100, "x-technical-limit": "minimum" } as const;
    expect(queryCases(schema).filter(([keyword]) => keyword !== "type")).toEqual([
      ["maximum", true, "100"],
      ["maximum", false, "101"],
    ]);
  });

  test("no technical limit, and no value of an opaque string", () => {
    expect(queryCases({ type: "string", maxLength: 4096, "x-technical-limit": true })).toEqual([]);
  });

  test("arrays, which are not generated, with an error", () => {
    expect(() => queryCases({ type: "array" })).toThrow(
      expect.objectContaining({ hint: "Add them in contract/generated-cases/derive.ts." }),
    );
  });
});
