import { document, error, type Invalid, responseAt, type Valid, withResponse } from "../fragments.ts";

const both = { "404": { description: "No address." }, "405": { description: "No method." } };

export const valid: Valid = { "both responses": document({ "x-gateway-responses": both }) };

export const invalid: Invalid = {
  "no gateway responses": {
    document: document(),
    findings: [
      error("", "Add the 404 response to x-gateway-responses."),
      error("", "Add the 405 response to x-gateway-responses."),
    ],
  },
  "one of them missing": {
    document: document({ "x-gateway-responses": { "404": both["404"] } }),
    findings: [error("/x-gateway-responses", "Add the 405 response to x-gateway-responses.")],
  },
  "an operation with a 405": {
    document: withResponse("405", { description: "No method." }, { "x-gateway-responses": both }),
    findings: [error(responseAt("405"), "Remove the 405 response from getThing: it is a gateway response.")],
  },
};
