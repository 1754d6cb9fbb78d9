import { document, error, type Invalid, schema, thing, type Valid } from "../fragments.ts";

export const valid: Valid = {
  "known values of an open set": schema({ type: "string", "x-extensible-enum": ["a"] }),
  "a closed set": schema({ type: "string", enum: ["a"] }),
};

export const invalid: Invalid = {
  "an open set that is closed": {
    document: schema({ type: "string", "x-extensible-enum": ["a"], enum: ["a"] }),
    findings: [error(`${thing}/enum`, "Remove enum from Thing: more values may come at any time.")],
  },
  "error types as a closed set": {
    document: document({ components: { schemas: { ErrorType: { type: "string", enum: ["a"] } } } }),
    findings: [
      error("/components/schemas/ErrorType", "List the known values of ErrorType in x-extensible-enum."),
      error(
        "/components/schemas/ErrorType/enum",
        "Remove enum from ErrorType: more values may come at any time.",
      ),
    ],
  },
};
