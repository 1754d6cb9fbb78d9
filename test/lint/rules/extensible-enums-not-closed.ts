import { document, error, type Invalid, schema, thing, type Valid } from "../fragments.ts";

export const valid: Valid = {
  "known values of an open set": schema({ type: "string", "x-extensible-enum": ["a"] }),
  "a closed set": schema({ type: "string", enum: ["a"] }),
};

export const invalid: Invalid = {
  "an open set that is closed": {
    document: schema({ type: "string", "x-extensible-enum": ["a"], enum: ["a"] }),
    findings: [error(`${thing}/enum`, "Remove enum from Thing: more values may be added at any time.")],
  },
  "error types as a closed set": {
    document: document({ components: { schemas: { ErrorType: { type: "string", enum: ["a"] } } } }),
    findings: [
      error("/components/schemas/ErrorType", "Add x-extensible-enum with the known values to ErrorType."),
      error(
        "/components/schemas/ErrorType/enum",
        "Remove enum from ErrorType: more values may be added at any time.",
      ),
    ],
  },
};
