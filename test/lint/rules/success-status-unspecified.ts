import { error, getThing, type Invalid, operation, responseAt, type Valid } from "../fragments.ts";

export const valid: Valid = {
  "a specified status": operation({ responses: { "200": {}, "201": {} } }),
  "an unspecified status": operation({ responses: { "2XX": { "x-leaves-unspecified": ["OPEN-1"] } } }),
};

export const invalid: Invalid = {
  "no success at all": {
    document: operation({ responses: { "404": {} } }),
    findings: [error(getThing, "Add a successful response to getThing, with its status or 2XX.")],
  },
  "an open status that is not marked": {
    document: operation({ responses: { "2XX": {} } }),
    findings: [
      error(
        responseAt("2XX"),
        "Mark the 2XX response of getThing with x-leaves-unspecified: its status is unspecified.",
      ),
    ],
  },
  "a status beside the open one": {
    document: operation({ responses: { "2XX": { "x-leaves-unspecified": ["OPEN-1"] }, "204": {} } }),
    findings: [
      error(
        responseAt("204"),
        "Remove the 204 response from getThing: its success status is unspecified (2XX).",
      ),
    ],
  },
};
