import { error, getThing, type Invalid, operation, type Valid } from "../fragments.ts";

const rows = { "x-requirements": { things: [{ id: "THING-1" }] } };

export const valid: Valid = { "a requirement that exists": operation({ "x-encodes": ["THING-1"] }, rows) };

export const invalid: Invalid = {
  "a requirement that does not exist": {
    document: operation({ "x-encodes": ["THING-1", "THING-2"] }, rows),
    findings: [
      error(
        `${getThing}/x-encodes/1`,
        "Correct THING-2 in x-encodes, or add a row with this id to x-requirements.",
      ),
    ],
  },
};
