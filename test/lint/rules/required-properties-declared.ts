import { error, type Invalid, schema, thing, type Valid } from "../fragments.ts";

export const valid: Valid = {
  "a required field": schema({ required: ["name"], properties: { name: {} } }),
  "a condition on another field": schema({ not: { required: ["other"] } }),
};

export const invalid: Invalid = {
  "a required field that is not described": {
    document: schema({ required: ["name", "nmae"], properties: { name: {} } }),
    findings: [error(`${thing}/required`, "Add the property nmae to Thing, or remove it from required.")],
  },
};
