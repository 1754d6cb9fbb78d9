import {
  document,
  error,
  failing,
  failure,
  type Invalid,
  json,
  responseAt,
  row,
  type Valid,
} from "../fragments.ts";

export const valid: Valid = {
  "an example of a row": failing("409", { taken: failure("taken") }, [row(409, "taken")]),
  "any type where the row leaves it open": failing("503", { down: failure("unspecified") }, [row(503, null)]),
};

export const invalid: Invalid = {
  "an example of no row": {
    document: failing("409", { taken: failure("taken"), locked: failure("locked") }, [row(409, "taken")]),
    findings: [
      error(
        responseAt("409"),
        "Remove the example locked (409 locked) from getThing, or add getThing to its row of x-errors.",
      ),
    ],
  },
  "an example of the gateway that is a row of operations only": {
    document: document({
      "x-gateway-responses": { "404": { content: json({}, { gone: failure("not_found") }) } },
      "x-errors": [row(404, "not_found")],
    }),
    findings: [
      error(
        "/x-gateway-responses/404",
        "Remove the example gone (404 not_found) from the gateway, or add the gateway to its row of x-errors.",
      ),
    ],
  },
};
