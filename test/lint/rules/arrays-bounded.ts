import { error, type Invalid, schema, thing, type Valid } from "../fragments.ts";

export const valid: Valid = {
  "a largest number of entries": schema({ type: "array", maxItems: 10, items: {} }),
};

export const invalid: Invalid = {
  "a list of any length": {
    document: schema({ type: "array", items: {} }),
    findings: [
      error(thing, "Add maxItems to Thing, with x-technical-limit: true if the service specifies no limit."),
    ],
  },
  "a list within a variant, of anything": {
    document: schema({ oneOf: [{ type: "array", maxItems: 3 }] }),
    findings: [error(`${thing}/oneOf/0`, "Add items to Thing|0: specify what the array has.")],
  },
};
