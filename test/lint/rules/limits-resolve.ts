import type { Node } from "../../../scripts/document/values.ts";
import { error, type Invalid, schema, thing, type Valid } from "../fragments.ts";

const documented = { description: "The length of a name.", unit: "characters" };
const limit = (row: Node) => schema({ type: "string", maxLength: 10 }, { "x-limits": { nameLength: row } });
const keyword = (name: string) => ({ ...documented, schema: `#${thing}`, keyword: name });
const at = "/x-limits/nameLength";

export const valid: Valid = {
  "a number": limit({ ...documented, value: 10 }),
  "a number that no keyword of its schema can express": limit({
    ...documented,
    value: 10,
    schema: `#${thing}`,
  }),
  "the id of an error": schema(
    { type: "string", maxLength: 10 },
    {
      "x-errors": [{ id: "422.invalid_request" }],
      "x-limits": { nameLength: { ...documented, value: 10, error: "422.invalid_request" } },
    },
  ),
  "a schema keyword": limit({ ...documented, schema: `#${thing}`, keyword: "maxLength" }),
};

export const invalid: Invalid = {
  "a keyword that is not there": {
    document: limit({ ...documented, schema: `#${thing}`, keyword: "maxItems" }),
    findings: [
      error(at, "Correct schema and keyword of the limit nameLength: there is no number maxItems there."),
    ],
  },
  "a schema that is not there": {
    document: limit({ ...documented, schema: "#/components/schemas/Other", keyword: "maxLength" }),
    findings: [
      error(at, "Correct schema and keyword of the limit nameLength: there is no number maxLength there."),
    ],
  },
  "a number for a schema that is not there": {
    document: limit({ ...documented, value: 10, schema: "#/components/schemas/Other" }),
    findings: [error(at, "Correct schema of the limit nameLength: there is no #/components/schemas/Other.")],
  },
  "both a number and a keyword": {
    document: limit({ ...documented, value: 10, schema: `#${thing}`, keyword: "maxLength" }),
    findings: [error(at, "Set either value, or schema and keyword, of the limit nameLength.")],
  },
  "an error that is not there": {
    document: limit({ ...documented, value: 10, error: "422.invalid" }),
    findings: [
      error(at, "Correct error of the limit nameLength: no row of x-errors has the id 422.invalid."),
    ],
  },
  "another error than other keywords have": {
    document: schema(
      { type: "string", minLength: 1, maxLength: 10 },
      {
        "x-errors": [{ id: "422.invalid_request" }, { id: "413.send_rejected" }],
        "x-limits": {
          leastLength: { ...keyword("minLength"), error: "422.invalid_request" },
          nameLength: { ...keyword("maxLength"), error: "413.send_rejected" },
        },
      },
    ),
    findings: [
      error(at, "Correct error of the limit nameLength: that of other keywords is 422.invalid_request."),
    ],
  },
  "neither, and nothing said": {
    document: limit({}),
    findings: [
      error(at, "Add description to the limit nameLength."),
      error(at, "Add unit to the limit nameLength."),
      error(at, "Set either value, or schema and keyword, of the limit nameLength."),
    ],
  },
};
