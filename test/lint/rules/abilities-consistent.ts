import type { Node } from "../../../scripts/document/values.ts";
import { error, type Invalid, operation, type Valid } from "../fragments.ts";

const table = (read: Node, names = ["thing:read"]) =>
  operation({ security: [{ bearerAuth: names }] }, { "x-abilities": { "thing:read": read } });

export const valid: Valid = {
  "an ability that an operation needs": table({}),
  "a list of its operations that is true": table({ operations: ["getThing"] }),
  "an ability whose use is unspecified": table({ "x-leaves-unspecified": ["OPEN-1"] }, []),
};

export const invalid: Invalid = {
  "an ability that nothing needs": {
    document: table({}, []),
    findings: [
      error(
        "/x-abilities/thing:read",
        "Mark the ability thing:read with x-leaves-unspecified, or remove it: no operation needs it.",
      ),
    ],
  },
  "a list that misses an operation": {
    document: table({ operations: [] }),
    findings: [
      error(
        "/x-abilities/thing:read",
        "Add getThing to the operations of the ability thing:read: its security names it.",
      ),
    ],
  },
  "a list with an operation too many": {
    document: table({ operations: ["getThing", "getOther"] }),
    findings: [
      error(
        "/x-abilities/thing:read",
        "Remove getOther from the operations of the ability thing:read: its security does not name it.",
      ),
    ],
  },
};
