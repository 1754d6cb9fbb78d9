import { error, type Invalid, schema, thing, type Valid } from "../fragments.ts";

export const valid: Valid = {
  "one type": schema({ type: "string" }),
  "one type or null": schema({ type: ["string", "null"] }),
  "a choice of single types": schema({ oneOf: [{ type: "string" }, { type: "number" }, { type: "null" }] }),
};

export const invalid: Invalid = {
  "two types": {
    document: schema({ type: ["string", "number"] }),
    findings: [
      error(
        `${thing}/type`,
        "Write oneOf with a schema for each type instead of the list of types of Thing.",
      ),
    ],
  },
  "two types and null in a property": {
    document: schema({ properties: { id: { type: ["string", "integer", "null"] } } }),
    findings: [
      error(
        `${thing}/properties/id/type`,
        "Write oneOf with a schema for each type instead of the list of types of Thing.id.",
      ),
    ],
  },
};
