import { answerAt, answering, document, error, type Invalid, type Valid } from "../fragments.ts";

const both = { "404": { description: "No address." }, "405": { description: "No method." } };

export const valid: Valid = { "both answers": document({ "x-gateway-responses": both }) };

export const invalid: Invalid = {
  "no answers of the front": {
    document: document(),
    findings: [
      error("", "Add the 404 answer of the shared front to x-gateway-responses."),
      error("", "Add the 405 answer of the shared front to x-gateway-responses."),
    ],
  },
  "one of them missing": {
    document: document({ "x-gateway-responses": { "404": both["404"] } }),
    findings: [
      error("/x-gateway-responses", "Add the 405 answer of the shared front to x-gateway-responses."),
    ],
  },
  "an operation with a 405": {
    document: answering("405", { description: "No method." }, { "x-gateway-responses": both }),
    findings: [
      error(
        answerAt("405"),
        "Remove the 405 answer from getThing: no call that reaches an operation is answered with it.",
      ),
    ],
  },
};
