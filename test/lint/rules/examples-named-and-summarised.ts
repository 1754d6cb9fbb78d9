import type { Node } from "../../../scripts/document/values.ts";
import { error, type Invalid, json, responseAt, type Valid, withResponse } from "../fragments.ts";

const shown = (examples: Node) => withResponse("200", { content: json({}, examples) });
const at = `${responseAt("200")}/content/application~1json`;

export const valid: Valid = {
  "a named example": shown({ two_things: { summary: "Two things", value: [1, 2] } }),
};

export const invalid: Invalid = {
  "an example without a name": {
    document: withResponse("200", { content: { "application/json": { example: 1 } } }),
    findings: [
      error(`${at}/example`, "Move the example of the 200 response of getThing to examples, under a name."),
    ],
  },
  "a name in another style": {
    document: shown({ "Two things": { summary: "Two things", value: [1, 2] } }),
    findings: [
      error(
        `${at}/examples/Two things`,
        "Change the name of the example Two things of the 200 response of getThing to snake_case.",
      ),
    ],
  },
  "a name alone": {
    document: shown({ two_things: {} }),
    findings: [
      error(
        `${at}/examples/two_things`,
        "Add a summary to the example two_things of the 200 response of getThing.",
      ),
      error(
        `${at}/examples/two_things`,
        "Add a value to the example two_things of the 200 response of getThing.",
      ),
    ],
  },
};
