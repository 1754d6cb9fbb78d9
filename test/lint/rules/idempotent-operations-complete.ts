import {
  error,
  getThing,
  type Invalid,
  operation,
  responseAt,
  row,
  type Valid,
  withHeaders,
} from "../fragments.ts";

const key = { name: "Idempotency-Key", in: "header" };
const replayed = withHeaders({ "Idempotent-Replayed": { required: false } });
const conflict = { "x-errors": [row(409, "idempotency_conflict")] };

export const valid: Valid = {
  "all three parts": operation({ parameters: [key], responses: { "200": replayed } }, conflict),
  "none of them": operation({ responses: { "200": {} } }),
};

export const invalid: Invalid = {
  "no parameter": {
    document: operation({ responses: { "200": replayed } }, conflict),
    findings: [
      error(
        getThing,
        "Add the parameter Idempotency-Key to getThing: the row 409.idempotency_conflict lists it.",
      ),
    ],
  },
  "a parameter alone": {
    document: operation({ parameters: [key] }),
    findings: [
      error(
        `${getThing}/parameters`,
        "List getThing in the row 409.idempotency_conflict, or remove its parameter Idempotency-Key.",
      ),
    ],
  },
  "no header on success": {
    document: operation({ parameters: [key], responses: { "201": withHeaders({}) } }, conflict),
    findings: [
      error(
        responseAt("201"),
        "Add the header Idempotent-Replayed with required: false to the 201 response of getThing.",
      ),
    ],
  },
  "a header that is required": {
    document: operation(
      { parameters: [key], responses: { "200": withHeaders({ "Idempotent-Replayed": { required: true } }) } },
      conflict,
    ),
    findings: [
      error(
        responseAt("200"),
        "Add the header Idempotent-Replayed with required: false to the 200 response of getThing.",
      ),
    ],
  },
  "a header on a failure": {
    document: operation({ parameters: [key], responses: { "200": replayed, "409": replayed } }, conflict),
    findings: [
      error(
        `${responseAt("409")}/headers`,
        "Remove the header Idempotent-Replayed from the 409 response of getThing: only successful responses of idempotent operations have it.",
      ),
    ],
  },
};
