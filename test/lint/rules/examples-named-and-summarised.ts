import type { Node } from "../../../scripts/document/values.ts";
import { answerAt, answering, error, type Invalid, json, type Valid } from "../fragments.ts";

const shown = (examples: Node) => answering("200", { content: json({}, examples) });
const at = `${answerAt("200")}/content/application~1json`;

export const valid: Valid = {
  "a named example": shown({ two_things: { summary: "Two things", value: [1, 2] } }),
};

export const invalid: Invalid = {
  "an example without a name": {
    document: answering("200", { content: { "application/json": { example: 1 } } }),
    findings: [
      error(`${at}/example`, "Move the example of the 200 answer of getThing to examples, under a name."),
    ],
  },
  "a name in another style": {
    document: shown({ "Two things": { summary: "Two things", value: [1, 2] } }),
    findings: [
      error(
        `${at}/examples/Two things`,
        "Write the name of the example Two things of the 200 answer of getThing in snake_case.",
      ),
    ],
  },
  "a name alone": {
    document: shown({ two_things: {} }),
    findings: [
      error(
        `${at}/examples/two_things`,
        "Add a summary to the example two_things of the 200 answer of getThing.",
      ),
      error(
        `${at}/examples/two_things`,
        "Add a value to the example two_things of the 200 answer of getThing.",
      ),
    ],
  },
};
