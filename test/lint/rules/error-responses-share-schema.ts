import { document, error, type Invalid, json, responseAt, type Valid, withResponse } from "../fragments.ts";

const shape = { content: json({ $ref: "#/components/schemas/ErrorResponse" }) };

export const valid: Valid = {
  "an error with the shape": withResponse("404", shape, { components: { schemas: { ErrorResponse: {} } } }),
  "a success with any shape": withResponse("200", { content: json({ type: "object" }) }),
};

export const invalid: Invalid = {
  "an error with a shape of its own": {
    document: withResponse("404", { content: json({ type: "object" }) }),
    findings: [
      error(
        responseAt("404"),
        "Make the application/json schema of the 404 response of getThing a $ref to #/components/schemas/ErrorResponse.",
      ),
    ],
  },
  "an error without content": {
    document: withResponse("500", {}),
    findings: [
      error(
        responseAt("500"),
        "Make the application/json schema of the 500 response of getThing a $ref to #/components/schemas/ErrorResponse.",
      ),
    ],
  },
  "a response of the gateway without the shape": {
    document: document({ "x-gateway-responses": { "404": { content: {} } } }),
    findings: [
      error(
        "/x-gateway-responses/404",
        "Make the application/json schema of the 404 response of the gateway a $ref to #/components/schemas/ErrorResponse.",
      ),
    ],
  },
};
