import { error, type Invalid, operation, row, type Valid } from "../fragments.ts";

export const valid: Valid = {
  "tables that name the operation": operation(
    {},
    {
      "x-errors": [row(404, "not_found")],
      "x-unspecified": [{ id: "OPEN-1", operations: ["getThing"] }],
      "x-requirements": { things: [{ id: "THING-1", operations: [] }] },
    },
  ),
};

export const invalid: Invalid = {
  "an error row": {
    document: operation({}, { "x-errors": [row(404, "not_found", { operations: ["getThong"] })] }),
    findings: [
      error(
        "/x-errors/0/operations",
        "Correct getThong in the operations of 404.not_found: no operation has this operationId.",
      ),
    ],
  },
  "a requirement": {
    document: operation({}, { "x-requirements": { things: [{ id: "THING-1", operations: ["get"] }] } }),
    findings: [
      error(
        "/x-requirements/things/0/operations",
        "Correct get in the operations of THING-1: no operation has this operationId.",
      ),
    ],
  },
  "an ability": {
    document: operation({}, { "x-abilities": { "thing:read": { operations: ["get"] } } }),
    findings: [
      error(
        "/x-abilities/thing:read/operations",
        "Correct get in the operations of thing:read: no operation has this operationId.",
      ),
    ],
  },
};
