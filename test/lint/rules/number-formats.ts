import { error, type Invalid, schema, thing, type Valid } from "../fragments.ts";

export const valid: Valid = {
  "a number and an integer with formats": schema({
    properties: { a: { type: "number", format: "double" }, b: { type: "integer", format: "int64" } },
  }),
  "a text without one": schema({ type: "string" }),
  "a condition on a number": schema({ if: { properties: { a: { type: "number" } } } }),
};

export const invalid: Invalid = {
  "a number without a format": {
    document: schema({ oneOf: [{ type: "string" }, { type: "number" }] }),
    findings: [error(`${thing}/oneOf/1`, "Add format: float or double to Thing|1.")],
  },
  "an integer that may be null, with the format of a number": {
    document: schema({ type: ["integer", "null"], format: "double" }),
    findings: [error(thing, "Add format: int32 or int64 to Thing.")],
  },
};
