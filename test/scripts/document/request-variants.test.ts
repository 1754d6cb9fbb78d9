import { expect, test } from "vitest";
import { variantOf } from "../../../scripts/document/request-variants.ts";

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
