import { answerAt, answering, document, error, type Invalid, json, type Valid } from "../fragments.ts";

const shape = { content: json({ $ref: "#/components/schemas/Error" }) };

export const valid: Valid = {
  "an error with the shape": answering("404", shape, { components: { schemas: { Error: {} } } }),
  "a success with any shape": answering("200", { content: json({ type: "object" }) }),
};

export const invalid: Invalid = {
  "an error with a shape of its own": {
    document: answering("404", { content: json({ type: "object" }) }),
    findings: [
      error(
        answerAt("404"),
        "Let the application/json schema of the 404 answer of getThing be a $ref to #/components/schemas/Error.",
      ),
    ],
  },
  "an error without content": {
    document: answering("500", {}),
    findings: [
      error(
        answerAt("500"),
        "Let the application/json schema of the 500 answer of getThing be a $ref to #/components/schemas/Error.",
      ),
    ],
  },
  "an answer of the shared front without the shape": {
    document: document({ "x-gateway-responses": { "404": { content: {} } } }),
    findings: [
      error(
        "/x-gateway-responses/404",
        "Let the application/json schema of the 404 answer of the shared front be a $ref to #/components/schemas/Error.",
      ),
    ],
  },
};
