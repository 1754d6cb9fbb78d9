import { answerAt, error, getThing, type Invalid, operation, type Valid } from "../fragments.ts";

export const valid: Valid = {
  "a status that is promised": operation({ responses: { "200": {}, "201": {} } }),
  "a status that is left open": operation({ responses: { "2XX": { "x-leaves-unspecified": ["OPEN-1"] } } }),
};

export const invalid: Invalid = {
  "no success at all": {
    document: operation({ responses: { "404": {} } }),
    findings: [error(getThing, "Add the answer of success to getThing: its status, or 2XX.")],
  },
  "an open status that is not marked": {
    document: operation({ responses: { "2XX": {} } }),
    findings: [
      error(
        answerAt("2XX"),
        "Mark the 2XX answer of getThing with x-leaves-unspecified: its status is not specified.",
      ),
    ],
  },
  "a status beside the open one": {
    document: operation({ responses: { "2XX": { "x-leaves-unspecified": ["OPEN-1"] }, "204": {} } }),
    findings: [
      error(
        answerAt("204"),
        "Remove the 204 answer from getThing: its success status is left open, as 2XX says.",
      ),
    ],
  },
};
