import { document, error, failing, type Invalid, responseAt, row, type Valid } from "../fragments.ts";

export const valid: Valid = {
  "a status with a row": failing("404", {}, [row(404, "not_found")]),
  "the gateway with a row": document({
    "x-gateway-responses": { "405": {} },
    "x-errors": [row(405, "method_not_allowed", { operations: [] })],
  }),
};

export const invalid: Invalid = {
  "a status without a row": {
    document: failing("410", {}, [row(404, "not_found")]),
    findings: [
      error(
        responseAt("410"),
        "Remove the 410 response from getThing, or add it to a row of x-errors with status 410.",
      ),
    ],
  },
  "a row of other operations only": {
    document: failing("404", {}, [row(404, "not_found", { operations: ["getOther"] })]),
    findings: [
      error(
        responseAt("404"),
        "Remove the 404 response from getThing, or add it to a row of x-errors with status 404.",
      ),
    ],
  },
};
