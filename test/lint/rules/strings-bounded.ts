import { error, getThing, type Invalid, operation, schema, thing, type Valid } from "../fragments.ts";

export const valid: Valid = {
  "a longest length": schema({ type: "string", maxLength: 10 }),
  "a time, which must not have a length": schema({ type: "string", format: "date-time" }),
  "a fixed set": schema({ type: "string", enum: ["a"] }),
  "a condition on a string": schema({ type: "object", not: { properties: { name: { type: "string" } } } }),
};

export const invalid: Invalid = {
  "a string of any length": {
    document: schema({ type: "string" }),
    findings: [
      error(thing, "Add maxLength to Thing, with x-technical-limit: true if the service specifies no limit."),
    ],
  },
  "an entry that may be null": {
    document: schema({ type: "object", additionalProperties: { type: ["string", "null"] } }),
    findings: [
      error(
        `${thing}/additionalProperties`,
        "Add maxLength to Thing.*, with x-technical-limit: true if the service specifies no limit.",
      ),
    ],
  },
  "a parameter": {
    document: operation({ parameters: [{ name: "sort", in: "query", schema: { type: "string" } }] }),
    findings: [
      error(
        `${getThing}/parameters/0/schema`,
        "Add maxLength to the parameter sort, with x-technical-limit: true if the service specifies no limit.",
      ),
    ],
  },
};
