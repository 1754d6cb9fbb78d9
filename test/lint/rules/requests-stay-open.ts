import { answeredSchema, error, type Invalid, requestedSchema, thing, type Valid } from "../fragments.ts";

export const valid: Valid = {
  "an object that takes more fields": requestedSchema({ type: "object", properties: {} }),
  "an answer, which is another rule's": answeredSchema({ additionalProperties: false }),
};

export const invalid: Invalid = {
  "a request that refuses unknown fields": {
    document: requestedSchema({ oneOf: [{ additionalProperties: false }] }),
    findings: [
      error(
        `${thing}/oneOf/0/additionalProperties`,
        "Remove additionalProperties from Thing|0: what becomes of unknown request fields is not specified.",
      ),
    ],
  },
};
