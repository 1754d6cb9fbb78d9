import { error, type Invalid, schema, thing, type Valid } from "../fragments.ts";

export const valid: Valid = { "a pattern that compiles everywhere": schema({ pattern: "^[\\w.-]+$" }) };

export const invalid: Invalid = {
  "an escape that is invalid with the flag u": {
    document: schema({ pattern: "^[\\w-.]\\_$" }),
    findings: [
      error(
        `${thing}/pattern`,
        "Correct the pattern of Thing: it is not a regular expression with the flag u.",
      ),
    ],
  },
  "a letter beyond ASCII": {
    document: schema({ pattern: "^ü$" }),
    findings: [error(`${thing}/pattern`, "Use ASCII with \\u escapes in the pattern of Thing.")],
  },
};
