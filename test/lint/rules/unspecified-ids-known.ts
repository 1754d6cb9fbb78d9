import { error, getThing, type Invalid, operation, type Valid } from "../fragments.ts";

const rows = { "x-unspecified": [{ id: "OPEN-1" }] };

export const valid: Valid = { "a row that exists": operation({ "x-leaves-unspecified": ["OPEN-1"] }, rows) };

export const invalid: Invalid = {
  "a row that does not exist": {
    document: operation({ "x-leaves-unspecified": ["OPEN-2"] }, rows),
    findings: [
      error(
        `${getThing}/x-leaves-unspecified/0`,
        "Correct OPEN-2 in x-leaves-unspecified, or add a row with this id to x-unspecified.",
      ),
    ],
  },
};
