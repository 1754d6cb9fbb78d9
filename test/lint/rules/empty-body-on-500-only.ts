import { error, type Invalid, responseAt, type Valid, withResponse } from "../fragments.ts";

export const valid: Valid = {
  "a 500 that may be empty": withResponse("500", { "x-empty-body": true }),
  "a 502 that may not": withResponse("502", { description: "No." }),
};

export const invalid: Invalid = {
  "a 500 without the mark": {
    document: withResponse("500", { description: "No." }),
    findings: [
      error(
        responseAt("500"),
        "Add x-empty-body: true to the 500 response of getThing: a 500 may come without the error body.",
      ),
    ],
  },
  "a 404 with the mark": {
    document: withResponse("404", { "x-empty-body": true }),
    findings: [
      error(
        responseAt("404"),
        "Remove x-empty-body from the 404 response of getThing: only a 500 may come without the error body.",
      ),
    ],
  },
};
