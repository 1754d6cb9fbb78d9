import {
  answeredSchema,
  error,
  type Invalid,
  requestedSchema,
  schema,
  thing,
  type Valid,
} from "../fragments.ts";

export const valid: Valid = {
  "an object that takes more fields": answeredSchema({ type: "object", properties: {} }),
  "values of any name": answeredSchema({ type: "object", additionalProperties: {} }),
  "a request, which is another rule's": requestedSchema({ additionalProperties: false }),
};

export const invalid: Invalid = {
  "an answer that refuses more fields": {
    document: answeredSchema({ additionalProperties: false }),
    findings: [
      error(
        `${thing}/additionalProperties`,
        "Remove additionalProperties from Thing: answers may get more fields at any time.",
      ),
    ],
  },
  "an object within a list of an answer": {
    document: answeredSchema({ items: { unevaluatedProperties: false } }),
    findings: [
      error(
        `${thing}/items/unevaluatedProperties`,
        "Remove unevaluatedProperties from Thing[]: answers may get more fields at any time.",
      ),
    ],
  },
  "a shape that no operation uses yet": {
    document: schema({ additionalProperties: false }),
    findings: [
      error(
        `${thing}/additionalProperties`,
        "Remove additionalProperties from Thing: answers may get more fields at any time.",
      ),
    ],
  },
};
