import { error, type Invalid, requestSchema, responseSchema, thing, type Valid } from "../fragments.ts";

const variants = [{ type: "object" }, { properties: { id: {} } }];
const message = (keyword: string) =>
  `Write Thing as one object instead of ${keyword}, with if, then and else for what differs.`;

export const valid: Valid = {
  "variants of a request": requestSchema({ oneOf: variants }),
  "an object or null": responseSchema({ anyOf: [variants[0], { type: "null" }] }),
  "single types": responseSchema({ oneOf: [{ type: "string" }, { type: "number" }] }),
};

export const invalid: Invalid = {
  "variants of a response": {
    document: responseSchema({ oneOf: variants }),
    findings: [error(`${thing}/oneOf`, message("oneOf"))],
  },
  "variants or null": {
    document: responseSchema({ anyOf: [...variants, { type: "null" }] }),
    findings: [error(`${thing}/anyOf`, message("anyOf"))],
  },
};
