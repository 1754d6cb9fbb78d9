import type { Node } from "../../../scripts/document/values.ts";
import { error, type Invalid, schema, thing, type Valid } from "../fragments.ts";

const told = { description: "The length of a name.", unit: "characters" };
const limit = (row: Node) => schema({ type: "string", maxLength: 10 }, { "x-limits": { nameLength: row } });
const at = "/x-limits/nameLength";

export const valid: Valid = {
  "a number": limit({ ...told, value: 10 }),
  "a schema keyword": limit({ ...told, schema: `#${thing}`, keyword: "maxLength" }),
};

export const invalid: Invalid = {
  "a keyword that is not there": {
    document: limit({ ...told, schema: `#${thing}`, keyword: "maxItems" }),
    findings: [
      error(
        at,
        "Correct schema and keyword of the limit nameLength: there is no number maxItems at that place.",
      ),
    ],
  },
  "a schema that is not there": {
    document: limit({ ...told, schema: "#/components/schemas/Other", keyword: "maxLength" }),
    findings: [
      error(
        at,
        "Correct schema and keyword of the limit nameLength: there is no number maxLength at that place.",
      ),
    ],
  },
  "both a number and a keyword": {
    document: limit({ ...told, value: 10, schema: `#${thing}`, keyword: "maxLength" }),
    findings: [error(at, "Give the limit nameLength either a value, or a schema and a keyword.")],
  },
  "neither, and nothing said": {
    document: limit({}),
    findings: [
      error(at, "Add description to the limit nameLength."),
      error(at, "Add unit to the limit nameLength."),
      error(at, "Give the limit nameLength either a value, or a schema and a keyword."),
    ],
  },
};
