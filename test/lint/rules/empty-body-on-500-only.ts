import { answerAt, answering, error, type Invalid, type Valid } from "../fragments.ts";

export const valid: Valid = {
  "a 500 that may be empty": answering("500", { "x-empty-body": true }),
  "a 502 that may not": answering("502", { description: "No." }),
};

export const invalid: Invalid = {
  "a 500 without the mark": {
    document: answering("500", { description: "No." }),
    findings: [
      error(
        answerAt("500"),
        "Add x-empty-body: true to the 500 answer of getThing: a 500 may come without the error body.",
      ),
    ],
  },
  "a 404 with the mark": {
    document: answering("404", { "x-empty-body": true }),
    findings: [
      error(
        answerAt("404"),
        "Remove x-empty-body from the 404 answer of getThing: only a 500 may come without the error body.",
      ),
    ],
  },
};
