import {
  error,
  type Invalid,
  requestSchema,
  responseSchema,
  schema,
  thing,
  type Valid,
} from "../fragments.ts";

export const valid: Valid = {
  "an object that takes more fields": responseSchema({ type: "object", properties: {} }),
  "values of any name": responseSchema({ type: "object", additionalProperties: {} }),
  "a request, which is another rule's": requestSchema({ additionalProperties: false }),
};

export const invalid: Invalid = {
  "a response that rejects more properties": {
    document: responseSchema({ additionalProperties: false }),
    findings: [
      error(
        `${thing}/additionalProperties`,
        "Remove additionalProperties from Thing: responses may have more properties at any time.",
      ),
    ],
  },
  "an object within a list of a response": {
    document: responseSchema({ items: { unevaluatedProperties: false } }),
    findings: [
      error(
        `${thing}/items/unevaluatedProperties`,
        "Remove unevaluatedProperties from Thing[]: responses may have more properties at any time.",
      ),
    ],
  },
  "a shape that no operation uses yet": {
    document: schema({ additionalProperties: false }),
    findings: [
      error(
        `${thing}/additionalProperties`,
        "Remove additionalProperties from Thing: responses may have more properties at any time.",
      ),
    ],
  },
};
