import {
  document,
  error,
  failing,
  failure,
  type Invalid,
  responseAt,
  row,
  type Valid,
} from "../fragments.ts";

export const valid: Valid = {
  "an example for each row": failing("409", { a: failure("taken"), b: failure("locked") }, [
    row(409, "taken"),
    row(409, "locked"),
  ]),
  "any example where the type is open": failing("500", { failure: failure("unspecified") }, [row(500, null)]),
};

export const invalid: Invalid = {
  "a row without its example": {
    document: failing("409", { a: failure("taken") }, [row(409, "taken"), row(409, "locked")]),
    findings: [
      error(
        responseAt("409"),
        "Add an example with error.type locked to the 409 response of getThing, for the row 409.locked.",
      ),
    ],
  },
  "a row of open type without any example": {
    document: failing("502", {}, [row(502, null)]),
    findings: [error(responseAt("502"), "Add an example to the 502 response of getThing, for the row 502.")],
  },
  "a row without its response": {
    document: failing("409", { a: failure("taken") }, [row(409, "taken"), row(413, "large")]),
    findings: [error("/x-errors/1", "Add a 413 response to getThing, or remove it from the row 413.large.")],
  },
  "a row of the gateway without its response": {
    document: document({ "x-errors": [row(405, "method_not_allowed", { operations: [] })] }),
    findings: [
      error(
        "/x-errors/0",
        "Add a 405 response to the gateway, or remove it from the row 405.method_not_allowed.",
      ),
    ],
  },
};
