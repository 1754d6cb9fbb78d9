import {
  document,
  error,
  type Invalid,
  responseAt,
  type Valid,
  withHeaders,
  withResponse,
} from "../fragments.ts";

const header = { description: "The request.", required: true, schema: { type: "string" } };
const shared = {
  responses: { Failed: withHeaders({ "X-Service-Request-Id": { $ref: "#/components/headers/RequestId" } }) },
};

export const valid: Valid = {
  "a response with the header": withResponse("200", withHeaders({ "X-Service-Request-Id": header })),
  "the header by reference, on a shared response": withResponse(
    "404",
    { $ref: "#/components/responses/Failed" },
    { components: { ...shared, headers: { RequestId: header } } },
  ),
};

export const invalid: Invalid = {
  "a response without the header": {
    document: withResponse("200", { description: "Fine." }),
    findings: [
      error(responseAt("200"), "Add the header X-Service-Request-Id to the 200 response of getThing."),
    ],
  },
  "a shared response without the header": {
    document: withResponse(
      "404",
      { $ref: "#/components/responses/Failed" },
      { components: { responses: { Failed: { description: "No." } } } },
    ),
    findings: [
      error("/components/responses/Failed", "Add the header X-Service-Request-Id to the response Failed."),
    ],
  },
  "a response of the gateway without the header": {
    document: document({ "x-gateway-responses": { "405": { description: "No." } } }),
    findings: [
      error(
        "/x-gateway-responses/405",
        "Add the header X-Service-Request-Id to the 405 response of the gateway.",
      ),
    ],
  },
  "a header that may be missing": {
    document: withResponse("200", withHeaders({ "X-Service-Request-Id": { ...header, required: false } })),
    findings: [
      error(
        `${responseAt("200")}/headers/X-Service-Request-Id`,
        "Set required: true on the header X-Service-Request-Id of the 200 response of getThing: every response has it.",
      ),
    ],
  },
};
