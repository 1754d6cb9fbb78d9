import { error, type Invalid, schema, thing, type Valid } from "../fragments.ts";

export const valid: Valid = { "a pattern that compiles everywhere": schema({ pattern: "^[\\w.-]+$" }) };

export const invalid: Invalid = {
  "an escape that Unicode expressions refuse": {
    document: schema({ pattern: "^[\\w-.]\\_$" }),
    findings: [
      error(`${thing}/pattern`, "Mend the pattern of Thing: it is no regular expression with the flag u."),
    ],
  },
  "a letter beyond ASCII": {
    document: schema({ pattern: "^ü$" }),
    findings: [error(`${thing}/pattern`, "Write the pattern of Thing in ASCII, with \\u escapes.")],
  },
};
