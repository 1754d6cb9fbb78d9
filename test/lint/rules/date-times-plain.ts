import { error, type Invalid, schema, thing, type Valid } from "../fragments.ts";

const time = { type: "string", format: "date-time" };

export const valid: Valid = {
  "a time with the rule for its offset": schema({ ...time, "x-utc-offset": "zero" }),
  "a pattern of another text": schema({ type: "string", pattern: "^a$" }),
};

export const invalid: Invalid = {
  "a pattern": {
    document: schema({ ...time, pattern: "^.*Z$" }),
    findings: [
      error(`${thing}/pattern`, "Remove pattern from Thing: format: date-time and x-utc-offset say all."),
    ],
  },
  "a length of a time that may be null": {
    document: schema({ ...time, type: ["string", "null"], maxLength: 64 }),
    findings: [
      error(`${thing}/maxLength`, "Remove maxLength from Thing: format: date-time and x-utc-offset say all."),
    ],
  },
};
