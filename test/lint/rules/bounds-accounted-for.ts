import type { Node } from "../../../scripts/document/values.ts";
import { error, type Invalid, schema, thing, type Valid } from "../fragments.ts";

const limited = (bounds: Node, keyword = "maxLength") =>
  schema(bounds, { "x-limits": { nameLength: { schema: `#${thing}`, keyword } } });

export const valid: Valid = {
  "a bound that is a limit": limited({ type: "string", maxLength: 10 }),
  "a technical ceiling": schema({ type: "string", maxLength: 10, "x-technical-limit": true }),
  "a lower bound beside a limit": limited({ type: "integer", minimum: 1, maximum: 10 }, "maximum"),
};

export const invalid: Invalid = {
  "a bound of nobody": {
    document: schema({ type: "string", maxLength: 10 }),
    findings: [
      error(thing, "Point a row of x-limits at maxLength of Thing, or mark it with x-technical-limit: true."),
    ],
  },
  "bounds of which one is a limit": {
    document: limited({ maxLength: 10, maxProperties: 3 }),
    findings: [
      error(
        thing,
        "Point a row of x-limits at maxProperties of Thing, or mark it with x-technical-limit: true.",
      ),
    ],
  },
  "a lower bound alone": {
    document: schema({ type: "array", minItems: 1 }),
    findings: [
      error(thing, "Point a row of x-limits at minItems of Thing, or mark it with x-technical-limit: true."),
    ],
  },
  "a limit that is marked as a ceiling": {
    document: limited({ maxLength: 10, "x-technical-limit": true }),
    findings: [
      error(thing, "Remove x-technical-limit from Thing: the limit nameLength promises its maxLength."),
    ],
  },
};
