import { error, type Invalid, operation, type Valid } from "../fragments.ts";

const open = (absent: string) => operation({}, { "x-unspecified": [{ id: "OPEN-1", absent: [absent] }] });

export const valid: Valid = {
  "a place in an operation that exists": open("/paths/~1api~1v1~1things/get/responses/200"),
  "a place in any of many": open("/paths/*/*/responses/400"),
  "an address that must not be": open("/paths/~1api~1v1~1other"),
  "a table that must not be": open("/webhooks"),
};

export const invalid: Invalid = {
  "a place in a component that does not exist": {
    document: open("/components/schemas/Thing/enum"),
    findings: [
      error(
        "/x-unspecified/0",
        "Correct /components/schemas/Thing/enum in absent of OPEN-1: there is no /components/schemas/Thing.",
      ),
    ],
  },
  "a place in an operation that does not exist": {
    document: open("/paths/~1api~1v1~1things/post/responses/200"),
    findings: [
      error(
        "/x-unspecified/0",
        "Correct /paths/~1api~1v1~1things/post/responses/200 in absent of OPEN-1: there is no /paths/~1api~1v1~1things/post.",
      ),
    ],
  },
};
