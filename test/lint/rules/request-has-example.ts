import { error, getThing, type Invalid, json, operation, type Valid } from "../fragments.ts";

export const valid: Valid = {
  "a request with an example": operation({ requestBody: { content: json({}, { one: { value: 1 } }) } }),
};

export const invalid: Invalid = {
  "a request without one": {
    document: operation({ requestBody: { content: json({}) } }),
    findings: [
      error(
        `${getThing}/requestBody/content/application~1json`,
        "Add a named example to the request of getThing.",
      ),
    ],
  },
};
