import {
  document,
  error,
  type Invalid,
  responseAt,
  type Valid,
  withHeaders,
  withResponse,
} from "../fragments.ts";

const allow = { Allow: { required: true } };

export const valid: Valid = {
  "a 405 that lists the methods": document({ "x-gateway-responses": { "405": withHeaders(allow) } }),
  "another response without Allow": withResponse("404", withHeaders({})),
};

export const invalid: Invalid = {
  "a 405 without Allow": {
    document: document({ "x-gateway-responses": { "405": withHeaders({}) } }),
    findings: [
      error(
        "/x-gateway-responses/405",
        "Add the header Allow with required: true to the 405 response of the gateway.",
      ),
    ],
  },
  "another response with Allow": {
    document: withResponse("404", withHeaders(allow)),
    findings: [
      error(
        `${responseAt("404")}/headers`,
        "Remove the header Allow from the 404 response of getThing: only a 405 has it.",
      ),
    ],
  },
};
