import { document, error, type Invalid, type Valid } from "../fragments.ts";

export const valid: Valid = {
  "addresses of this version": document({ paths: { "/api/v1/things": {}, "/api/v1/big-things/{id}": {} } }),
  "the prefix that the versioning names": document({
    paths: { "/api/v2/things": {} },
    "x-versioning": { prefix: "/api/v2" },
  }),
};

export const invalid: Invalid = {
  "an address without the prefix": {
    document: document({ paths: { "/things": {} } }),
    findings: [error("/paths/~1things", "Begin the address /things with /api/v1/.")],
  },
  "capitals in an address": {
    document: document({ paths: { "/api/v1/bigThings": {} } }),
    findings: [
      error(
        "/paths/~1api~1v1~1bigThings",
        "Write bigThings in the address /api/v1/bigThings in lower case, with dashes.",
      ),
    ],
  },
};
