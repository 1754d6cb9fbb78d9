import { error, type Invalid, requestSchema, responseSchema, thing, type Valid } from "../fragments.ts";

export const valid: Valid = {
  "an object that takes more fields": requestSchema({ type: "object", properties: {} }),
  "a response, which is another rule's": responseSchema({ additionalProperties: false }),
};

export const invalid: Invalid = {
  "a request that rejects unknown properties": {
    document: requestSchema({ oneOf: [{ additionalProperties: false }] }),
    findings: [
      error(
        `${thing}/oneOf/0/additionalProperties`,
        "Remove additionalProperties from Thing|0: what the service does with unknown properties is unspecified.",
      ),
    ],
  },
};
