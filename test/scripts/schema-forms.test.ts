import { expect, test } from "vitest";
import { variantOf, withTypeList } from "../../scripts/document/schema-forms.ts";

const text = { type: "string", maxLength: 9 };
const number = { type: "number", format: "double" };

test("a choice between single types becomes a list of types with the keywords of each", () => {
  const choice = { description: "A value.", oneOf: [text, number, { type: "null" }] };
  expect(withTypeList(choice)).toEqual({
    description: "A value.",
    maxLength: 9,
    type: ["string", "number", "null"],
  });
});

test("the format of a string stays, that of a number does not", () => {
  const choice = { oneOf: [{ type: "string", format: "email" }, number] };
  expect(withTypeList(choice)).toEqual({ format: "email", type: ["string", "number"] });
});

test.each([
  { type: ["string", "null"] },
  { oneOf: [text, { type: "object" }] },
  { oneOf: [text, { $ref: "#/components/schemas/Count" }] },
  { oneOf: [text, { type: "string", format: "uri" }] },
  { oneOf: [number, { type: "integer" }] },
  { oneOf: [{ type: "string", enum: ["auto"] }, number] },
  { anyOf: [text, number] },
])("%j is left as it is", (schema) => {
  expect(withTypeList(schema)).toBe(schema);
});

const id = { type: "string" };
const prefixed = { type: "string", pattern: "^sched_.*$" };
const varied = {
  type: "object",
  required: ["id"],
  properties: { id, at: {}, to: {}, note: {} },
  "x-variant-by-request": "at",
  if: { required: ["at"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { properties: { id: prefixed } },
  else: { required: ["to"] },
};

test("with the property, the variant has the schemas of then, and not what else requires", () => {
  expect(variantOf(varied, true)).toEqual({
    type: "object",
    required: ["id", "at"],
    properties: { id: prefixed, at: {}, note: {} },
  });
});

test("without the property, the variant has what else requires", () => {
  expect(variantOf(varied, false)).toEqual({
    type: "object",
    required: ["id", "to"],
    properties: { id, to: {}, note: {} },
  });
});
