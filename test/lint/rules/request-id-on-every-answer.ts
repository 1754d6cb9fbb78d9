import { answerAt, answering, document, error, type Invalid, type Valid, withHeaders } from "../fragments.ts";

const header = { description: "The call.", required: true, schema: { type: "string" } };
const shared = {
  responses: { Failed: withHeaders({ "X-Service-Request-Id": { $ref: "#/components/headers/RequestId" } }) },
};

export const valid: Valid = {
  "an answer with the header": answering("200", withHeaders({ "X-Service-Request-Id": header })),
  "the header by reference, on a shared answer": answering(
    "404",
    { $ref: "#/components/responses/Failed" },
    { components: { ...shared, headers: { RequestId: header } } },
  ),
};

export const invalid: Invalid = {
  "an answer without the header": {
    document: answering("200", { description: "Fine." }),
    findings: [error(answerAt("200"), "Add the header X-Service-Request-Id to the 200 answer of getThing.")],
  },
  "a shared answer without the header": {
    document: answering(
      "404",
      { $ref: "#/components/responses/Failed" },
      { components: { responses: { Failed: { description: "No." } } } },
    ),
    findings: [
      error("/components/responses/Failed", "Add the header X-Service-Request-Id to the answer Failed."),
    ],
  },
  "an answer of the shared front without the header": {
    document: document({ "x-gateway-responses": { "405": { description: "No." } } }),
    findings: [
      error(
        "/x-gateway-responses/405",
        "Add the header X-Service-Request-Id to the 405 answer of the shared front.",
      ),
    ],
  },
  "a header that may be missing": {
    document: answering("200", withHeaders({ "X-Service-Request-Id": { ...header, required: false } })),
    findings: [
      error(
        `${answerAt("200")}/headers/X-Service-Request-Id`,
        "Set required: true on the header X-Service-Request-Id of the 200 answer of getThing: every answer has it.",
      ),
    ],
  },
};
