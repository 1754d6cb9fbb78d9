import { answerAt, document, error, failing, type Invalid, row, type Valid } from "../fragments.ts";

export const valid: Valid = {
  "a status with a row": failing("404", {}, [row(404, "not_found")]),
  "the shared front with a row": document({
    "x-gateway-responses": { "405": {} },
    "x-errors": [row(405, "method_not_allowed", { operations: [] })],
  }),
};

export const invalid: Invalid = {
  "a status without a row": {
    document: failing("410", {}, [row(404, "not_found")]),
    findings: [
      error(
        answerAt("410"),
        "Remove the 410 answer from getThing, or add it to a row of x-errors with status 410.",
      ),
    ],
  },
  "a row of other operations only": {
    document: failing("404", {}, [row(404, "not_found", { operations: ["getOther"] })]),
    findings: [
      error(
        answerAt("404"),
        "Remove the 404 answer from getThing, or add it to a row of x-errors with status 404.",
      ),
    ],
  },
};
