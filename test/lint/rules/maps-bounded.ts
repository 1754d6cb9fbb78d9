import { error, type Invalid, schema, thing, type Valid } from "../fragments.ts";

export const valid: Valid = {
  "a largest number of entries": schema({ type: "object", additionalProperties: {}, maxProperties: 10 }),
  "an object with fields of its own": schema({ type: "object", properties: {} }),
};

export const invalid: Invalid = {
  "any number of entries": {
    document: schema({ properties: { tags: { type: "object", additionalProperties: {} } } }),
    findings: [
      error(
        `${thing}/properties/tags`,
        "Add maxProperties to Thing.tags, with x-technical-limit: true if the service specifies no limit.",
      ),
    ],
  },
  "any number of entries whose names have a pattern": {
    document: schema({ patternProperties: { "^x-": {} } }),
    findings: [
      error(
        thing,
        "Add maxProperties to Thing, with x-technical-limit: true if the service specifies no limit.",
      ),
    ],
  },
};
