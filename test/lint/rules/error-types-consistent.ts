import { document, error, type Invalid, row, type Valid } from "../fragments.ts";

const known = (types: string[], ...rows: object[]) =>
  document({ components: { schemas: { ErrorType: { "x-extensible-enum": types } } }, "x-errors": rows });

export const valid: Valid = {
  "the same types in both": known(["not_found"], row(404, "not_found"), row(500, null)),
};

export const invalid: Invalid = {
  "a type without a row": {
    document: known(["not_found", "gone"], row(404, "not_found")),
    findings: [
      error(
        "/components/schemas/ErrorType/x-extensible-enum",
        "Remove gone from ErrorType, or add a row with this type to x-errors.",
      ),
    ],
  },
  "a row whose type is not listed": {
    document: known([], row(404, "not_found")),
    findings: [
      error(
        "/x-errors/0",
        "Add the type not_found of the row 404.not_found to x-extensible-enum of ErrorType.",
      ),
    ],
  },
};
