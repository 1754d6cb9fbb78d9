import { describe, expect, test } from "vitest";
import type { Schema } from "../../../../contract/document.ts";
import { derived, object, results } from "./derived.ts";

describe("a keyword has values on both sides of its limit:", () => {
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
    expect(results(derived(schema, [example, ...others]), keyword)).toEqual(want);
  });
});

describe("a wrong type is a likely mistake:", () => {
  test.each([
    ["a text instead of a list of texts", { type: "array" }, ["b"], ["b"]],
    ["a number as text, and a fraction", { type: "integer" }, 41, ["41", 1.5]],
    ["a boolean as text", { type: "boolean" }, true, ["true"]],
    ["a number instead of a text", { type: "string" }, "b", [7]],
  ])("%s", (_, schema, value, wrong) => {
    const found = results(derived(object({ a: schema }), [{ a: value }]), "type");
    expect(found.slice(1)).toEqual(wrong.map((one) => [false, { a: one }]));
  });
});
