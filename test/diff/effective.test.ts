import { expect, test } from "vitest";
import { effective } from "../../scripts/diff/effective.ts";
import type { Node } from "../../scripts/document/values.ts";

// One flat schema for schemas that apply together. A library for it, allof-merge, gets the marked ones wrong.

const document: Node = {
  components: {
    schemas: {
      A: { type: "object", required: ["a"], properties: { a: { type: "string", maxLength: 5 } } },
      Self: { allOf: [{ $ref: "#/components/schemas/Self" }, { minProperties: 1 }] },
    },
  },
};
const a = { $ref: "#/components/schemas/A" };

const cases: [given: Node, flat: Node][] = [
  [{ allOf: [a] }, { type: "object", required: ["a"], properties: { a: { type: "string", maxLength: 5 } } }],
  [
    { ...a, minProperties: 2, required: ["b"] },
    {
      type: "object",
      minProperties: 2,
      required: ["a", "b"],
      properties: { a: { type: "string", maxLength: 5 } },
    },
  ],
  [{ allOf: [{ maxLength: 5 }, { maxLength: 3, minLength: 0 }] }, { maxLength: 3 }],
  // The properties of both, each with both schemas.
  [
    { allOf: [{ properties: { a: { minLength: 1 } } }, { properties: { a: { maxLength: 2 }, b: {} } }] },
    { properties: { a: { allOf: [{ minLength: 1 }, { maxLength: 2 }] }, b: {} } },
  ],
  [{ allOf: [{ enum: [1, 2, 3] }, { enum: [2, 3, 4] }] }, { enum: [2, 3] }],
  [{ allOf: [true, { type: "string" }] }, { type: "string" }],
  [{ oneOf: [{ type: "string" }] }, { type: "string" }],
  [
    { anyOf: [{ type: "string", enum: ["x"] }, { type: "null" }] },
    { type: ["string", "null"], enum: ["x", null] },
  ],
  [{ allOf: [{ pattern: "^a" }, { pattern: "b$" }] }, { pattern: "^a", allOf: [{ pattern: "b$" }] }],
  [
    { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
    { properties: { a: {} }, unevaluatedProperties: false },
  ],
  [{ $ref: "#/components/schemas/Self" }, { minProperties: 1 }],
  // allof-merge drops the type.
  [{ allOf: [{ type: "number" }, { type: "integer" }] }, { type: ["integer"] }],
  // It makes this `exclusiveMinimum: 1`.
  [{ allOf: [{ minimum: 1 }, { minimum: 0, exclusiveMinimum: true }] }, { minimum: 1, exclusiveMinimum: 0 }],
  // It drops the first.
  [
    { allOf: [{ if: { const: 1 }, not: {} }, { if: { const: 2 } }] },
    { if: { const: 1 }, not: {}, allOf: [{ if: { const: 2 } }] },
  ],
  [
    { allOf: [{ dependentRequired: { a: ["b"] } }, { dependentRequired: { a: ["c"] } }] },
    { dependentRequired: { a: ["b"] }, allOf: [{ dependentRequired: { a: ["c"] } }] },
  ],
  [
    { allOf: [{ format: "date" }, { format: "date-time" }] },
    { format: "date", allOf: [{ format: "date-time" }] },
  ],
  // It takes a technical limit for that of the contract.
  [
    { allOf: [{ maxLength: 9, "x-technical-limit": true }, { maxLength: 5 }] },
    { maxLength: 9, "x-technical-limit": true, allOf: [{ maxLength: 5 }] },
  ],
  // It drops `b`, which must be a string here.
  [
    {
      allOf: [
        { properties: { a: {} }, additionalProperties: { type: "string" } },
        { properties: { b: { type: "integer" } } },
      ],
    },
    {
      properties: { a: {} },
      additionalProperties: { type: "string" },
      allOf: [{ properties: { b: { type: "integer" } } }],
    },
  ],
  // It drops `false`.
  [{ allOf: [false, { type: "string" }] }, { not: {}, type: "string" }],
  // It throws.
  [{ allOf: [{ type: "string" }, { type: "integer" }] }, { type: "string", allOf: [{ type: "integer" }] }],
  [{ allOf: [{ const: 1 }, { const: 2 }] }, { const: 1, allOf: [{ const: 2 }] }],
  // It keeps null.
  [{ allOf: [{ type: "string", nullable: true }, { type: "string" }] }, { type: ["string"] }],
];

test.each(cases)("%j is %j", (given, flat) => {
  expect(effective(document, given)).toEqual(flat);
});

test("names of properties that objects have are properties", () => {
  const properties = JSON.parse('{ "__proto__": { "type": "string" }, "constructor": { "type": "string" } }');
  const merged = effective(document, { allOf: [{ properties }, { properties: { toString: {} } }] });
  expect(Object.keys(merged.properties as Node).sort()).toEqual(["__proto__", "constructor", "toString"]);
});
