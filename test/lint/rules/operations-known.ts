import { error, type Invalid, operation, responseAt, row, type Valid, withHeaders } from "../fragments.ts";

/** `getThing` with a header in its place that lists these operations, and with a shared one that does. */
const withLists = (inPlace: unknown, shared: unknown) =>
  operation(
    { responses: { "200": withHeaders({ "X-Here": { "x-operations": inPlace } }) } },
    { components: { headers: { Shared: { "x-operations": shared } } } },
  );

export const valid: Valid = {
  "headers that name the operation": withLists(["getThing"], ["getThing"]),
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
  "a shared header": {
    document: withLists(["getThing"], ["getThing", "getThong"]),
    findings: [
      error(
        "/components/headers/Shared/x-operations/1",
        "Correct getThong in x-operations of the header Shared: no operation has this operationId.",
      ),
    ],
  },
  "a header in its place": {
    document: withLists(["get"], []),
    findings: [
      error(
        `${responseAt("200")}/headers/X-Here/x-operations/0`,
        "Correct get in x-operations of the header X-Here: no operation has this operationId.",
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
