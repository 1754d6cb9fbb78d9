import { answerAt, answering, document, error, type Invalid, type Valid, withHeaders } from "../fragments.ts";

const allow = { Allow: { required: true } };

export const valid: Valid = {
  "a 405 that lists the methods": document({ "x-gateway-responses": { "405": withHeaders(allow) } }),
  "another answer without Allow": answering("404", withHeaders({})),
};

export const invalid: Invalid = {
  "a 405 without Allow": {
    document: document({ "x-gateway-responses": { "405": withHeaders({}) } }),
    findings: [
      error(
        "/x-gateway-responses/405",
        "Add the header Allow with required: true to the 405 answer of the shared front.",
      ),
    ],
  },
  "another answer with Allow": {
    document: answering("404", withHeaders(allow)),
    findings: [
      error(
        `${answerAt("404")}/headers`,
        "Remove the header Allow from the 404 answer of getThing: it belongs to 405.",
      ),
    ],
  },
};
