import { answerAt, answering, error, type Invalid, json, type Valid } from "../fragments.ts";

export const valid: Valid = {
  "an answer with an example": answering("200", { content: json({}, { one: { value: 1 } }) }),
};

export const invalid: Invalid = {
  "an answer without one": {
    document: answering("200", { content: json({}, {}) }),
    findings: [
      error(
        `${answerAt("200")}/content/application~1json`,
        "Add a named example to the 200 answer of getThing.",
      ),
    ],
  },
  "an answer without a body": {
    document: answering("204", { description: "Gone." }),
    findings: [error(answerAt("204"), "Add application/json content to the 204 answer of getThing.")],
  },
};
