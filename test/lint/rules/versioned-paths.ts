import type { Node } from "../../../scripts/document/values.ts";
import { document, error, type Invalid, type Valid } from "../fragments.ts";

const versioned = (paths: Node, prefix = "/api/v1"): Node => document({ paths, "x-versioning": { prefix } });

export const valid: Valid = {
  "addresses of this version": versioned({ "/api/v1/things": {}, "/api/v1/big-things/{id}": {} }),
  "the prefix that the versioning names": versioned({ "/api/v2/things": {} }, "/api/v2"),
};

export const invalid: Invalid = {
  "no prefix": {
    document: document({ paths: { "/api/v1/things": {} } }),
    findings: [error("", "Add x-versioning.prefix, the prefix of every path.")],
  },
  "an address without the prefix": {
    document: versioned({ "/things": {} }),
    findings: [error("/paths/~1things", "Change the path /things to begin with /api/v1/.")],
  },
  "capitals in an address": {
    document: versioned({ "/api/v1/bigThings": {} }),
    findings: [
      error(
        "/paths/~1api~1v1~1bigThings",
        "Change bigThings in the path /api/v1/bigThings to lower case with dashes.",
      ),
    ],
  },
};
