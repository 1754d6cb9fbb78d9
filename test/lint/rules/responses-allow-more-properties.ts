import {
  error,
  type Invalid,
  requestSchema,
  responseSchema,
  schema,
  thing,
  type Valid,
} from "../fragments.ts";

const message = (name: string) =>
  `Set additionalProperties of ${name} to true: responses may have more properties at any time.`;

export const valid: Valid = {
  "an object that allows more properties": responseSchema({
    type: "object",
    properties: {},
    additionalProperties: true,
  }),
  "values of any name": responseSchema({ type: "object", additionalProperties: {} }),
  "a condition on an object": responseSchema({ if: { type: "object" } }),
  "a request, which is another rule's": requestSchema({ type: "object", additionalProperties: false }),
};

export const invalid: Invalid = {
  "a response that rejects more properties": {
    document: responseSchema({ additionalProperties: false }),
    findings: [error(thing, message("Thing"))],
  },
  "a response that does not say that it allows them": {
    document: responseSchema({ type: "object", properties: {} }),
    findings: [error(thing, message("Thing"))],
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
  "an object that no operation uses yet": {
    document: schema({ type: "object" }),
    findings: [error(thing, message("Thing"))],
  },
};
