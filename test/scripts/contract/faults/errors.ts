import { type KnownFault, status, text } from "./changes.ts";

/** Errors of a server that breaks a promise about them. */
export const errorFaults: KnownFault[] = [
  {
    name: "another request id in the body",
    ids: ["ERR-5"],
    shownIn: "sendEmail 409 idempotency_conflict",
    expected: "error.request_id equal to the header X-Service-Request-Id",
    found: `"req_other" in the body`,
    after: text(/"request_id":"[^"]*"/g, `"request_id":"req_other"`),
  },
  {
    name: "a conflict answered as a bad request",
    ids: ["ERR-1"],
    shownIn: "cancelEmail 409 not_cancellable",
    expected: "status 409",
    found: "status 400",
    after: status(409, 400),
  },
  {
    name: "an error type that the table does not have",
    ids: ["ERR-1", "SEND-37"],
    shownIn: "sendEmail 403 forbidden",
    expected: "error.type forbidden or send_rejected, which sendEmail lists for 403",
    found: `error.type "no_access"`,
    after: text(`"type":"forbidden"`, `"type":"no_access"`),
  },
  {
    name: "a newsletter call that fails with a type of the sends",
    ids: ["ERR-12"],
    shownIn: "upsertContact 409 idempotency_conflict",
    expected: "error.type unauthorized, forbidden",
    found: "error.type send_rejected",
    after: text("idempotency_conflict", "send_rejected", ({ path }) => path.includes("newsletter")),
  },
  {
    name: "fields as one text each",
    ids: ["ERR-4"],
    shownIn: "rescheduleEmail 422 invalid_request",
    expected: "a list of texts under each name in error.fields",
    found: "/error/fields/scheduled_at must be array",
    after: text(/(:)\[("[^"]*")\]/g, "$1$2"),
  },
];
