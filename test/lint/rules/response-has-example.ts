import { error, type Invalid, json, responseAt, type Valid, withResponse } from "../fragments.ts";

export const valid: Valid = {
  "a response with an example": withResponse("200", { content: json({}, { one: { value: 1 } }) }),
};

export const invalid: Invalid = {
  "a response without one": {
    document: withResponse("200", { content: json({}, {}) }),
    findings: [
      error(
        `${responseAt("200")}/content/application~1json`,
        "Add a named example to the 200 response of getThing.",
      ),
    ],
  },
  "a response without a body": {
    document: withResponse("204", { description: "Gone." }),
    findings: [error(responseAt("204"), "Add application/json content to the 204 response of getThing.")],
  },
};
