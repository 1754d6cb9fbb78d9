import { error, type Invalid, schema, thing, type Valid } from "../fragments.ts";

const at = (message: string) => [error(`${thing}/pattern`, message)];
const anchors = at("Begin the pattern of Thing with ^ and end it with $.");
const classes = at(
  "Use plain classes such as [0-9] in the pattern of Thing, without lookarounds and \\d, \\s, \\w.",
);

export const valid: Valid = {
  "a pattern that compiles everywhere": schema({ pattern: "^[A-Za-z0-9_.-]+$" }),
  "alternatives in a group": schema({ pattern: "^(a|[|]|(b|c)\\|)$" }),
  "any text, with line breaks": schema({ pattern: "^[\\s\\S]*[\\r\\n][\\s\\S]*$" }),
  "a group without a number": schema({ pattern: "^(?:a)$" }),
};

export const invalid: Invalid = {
  "an escape that is invalid with the flag u": {
    document: schema({ pattern: "^[\\w-.]\\_$" }),
    findings: at("Correct the pattern of Thing: it is not a regular expression with the flag u."),
  },
  "a letter beyond ASCII": {
    document: schema({ pattern: "^ü$" }),
    findings: at("Use only ASCII in the pattern of Thing."),
  },
  "no anchor at the end": { document: schema({ pattern: "^https://" }), findings: anchors },
  "an escaped dollar sign at the end": { document: schema({ pattern: "^a\\$" }), findings: anchors },
  "alternatives with one anchor each": { document: schema({ pattern: "^a|b$" }), findings: anchors },
  "a class that depends on the language": { document: schema({ pattern: "^\\w+$" }), findings: classes },
  "a lookahead": { document: schema({ pattern: "^(?=a).*$" }), findings: classes },
  "a back-reference": { document: schema({ pattern: "^(a)\\1$" }), findings: classes },
};
