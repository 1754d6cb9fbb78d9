import { error, getThing, type Invalid, operation, type Valid } from "../fragments.ts";

const abilities = { "x-abilities": { "thing:read": {}, "thing:manage": {} } };
const needing = (...names: string[]) => operation({ security: [{ bearerAuth: names }] }, abilities);
const open = {
  "x-unspecified": [{ id: "OPEN-1", absent: ["/paths/~1api~1v1~1things/get/security/*/bearerAuth/*"] }],
};

export const valid: Valid = {
  "one known ability": needing("thing:read"),
  "none if it is unspecified": operation(
    { security: [{ bearerAuth: [] }], "x-leaves-unspecified": ["OPEN-1"] },
    open,
  ),
};

export const invalid: Invalid = {
  "no ability": {
    document: needing(),
    findings: [error(`${getThing}/security`, "Name exactly one ability in the security of getThing.")],
  },
  "two abilities": {
    document: needing("thing:read", "thing:manage"),
    findings: [error(`${getThing}/security`, "Name exactly one ability in the security of getThing.")],
  },
  "an unknown ability": {
    document: needing("thing:write"),
    findings: [
      error(
        `${getThing}/security`,
        "Use an ability of x-abilities in the security of getThing (got thing:write).",
      ),
    ],
  },
  "no security": {
    document: operation({}, abilities),
    findings: [error(getThing, "Give getThing the security `- bearerAuth: [<ability>]` and no other.")],
  },
  "unspecified without a mark": {
    document: operation({ security: [{ bearerAuth: [] }] }, open),
    findings: [error(`${getThing}/security`, "Name exactly one ability in the security of getThing.")],
  },
};
