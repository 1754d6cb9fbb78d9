import type { Node } from "../../../scripts/document/values.ts";
import { error, type Invalid, schema, thing, type Valid } from "../fragments.ts";

const limited = (bounds: Node, keyword = "maxLength") =>
  schema(bounds, { "x-limits": { nameLength: { schema: `#${thing}`, keyword } } });

export const valid: Valid = {
  "a bound that is a limit": limited({ type: "string", maxLength: 10 }),
  "a technical limit": schema({ type: "string", maxLength: 10, "x-technical-limit": true }),
  "a lower bound beside a limit": limited({ type: "integer", minimum: 1, maximum: 10 }, "maximum"),
};

export const invalid: Invalid = {
  "a bound of nobody": {
    document: schema({ type: "string", maxLength: 10 }),
    findings: [
      error(thing, "Point a row of x-limits to maxLength of Thing, or mark it with x-technical-limit: true."),
    ],
  },
  "bounds of which one is a limit": {
    document: limited({ maxLength: 10, maxProperties: 3 }),
    findings: [
      error(
        thing,
        "Point a row of x-limits to maxProperties of Thing, or mark it with x-technical-limit: true.",
      ),
    ],
  },
  "a lower bound alone": {
    document: schema({ type: "array", minItems: 1 }),
    findings: [
      error(thing, "Point a row of x-limits to minItems of Thing, or mark it with x-technical-limit: true."),
    ],
  },
  "a limit that is marked as technical": {
    document: limited({ maxLength: 10, "x-technical-limit": true }),
    findings: [error(thing, "Remove x-technical-limit from Thing: its maxLength is the limit nameLength.")],
  },
};
