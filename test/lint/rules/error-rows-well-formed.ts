import { document, error, type Invalid, row, type Valid } from "../fragments.ts";

const table = (...rows: object[]) => document({ "x-errors": rows });

export const valid: Valid = {
  "rows with a type, and without": table(row(404, "not_found"), row(500, null)),
  "a second row of the same status and type": table(
    row(404, "not_found"),
    row(404, "not_found", { id: "404.not_found.path" }),
  ),
};

export const invalid: Invalid = {
  "no error status": {
    document: table(row(304, "not_modified")),
    findings: [
      error("/x-errors/0", "Set the status of the row 304.not_modified to a number from 400 to 599."),
    ],
  },
  "an id that does not fit": {
    document: table(row(404, "not_found", { id: "missing" })),
    findings: [
      error("/x-errors/0", "Change the id of the row missing to 404.not_found, its status and type."),
    ],
  },
  "a text for whether it names fields": {
    document: table(row(422, "invalid_request", { namesFields: "required" })),
    findings: [error("/x-errors/0", "Set namesFields of the row 422.invalid_request to true or false.")],
  },
  "an id that stands twice": {
    document: table(row(404, "not_found"), row(404, "not_found")),
    findings: [error("/x-errors/1", "Change the id of the row 404.not_found: an earlier row has it.")],
  },
  "a 5xx with a type": {
    document: table(row(500, "broken")),
    findings: [error("/x-errors/0", "Give the row 500.broken the type null: a 5xx has no specified type.")],
  },
  "a 4xx without a type": {
    document: table(row(404, null)),
    findings: [error("/x-errors/0", "Give the row 404 its type.")],
  },
  "an unknown way to retry": {
    document: table(row(404, "not_found", { retry: "perhaps" })),
    findings: [error("/x-errors/0", "Set retry of the row 404.not_found to never, after or backoff.")],
  },
  "nothing said about it": {
    document: table(row(404, "not_found", { when: "", resolution: "" })),
    findings: [
      error("/x-errors/0", "Set resolution of the row 404.not_found to what the client should do."),
      error("/x-errors/0", "Set when of the row 404.not_found to the cause of the error."),
    ],
  },
};
