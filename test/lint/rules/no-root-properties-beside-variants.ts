import { error, type Invalid, schema, thing, type Valid } from "../fragments.ts";

export const valid: Valid = {
  "variants with fields of their own": schema({
    oneOf: [{ properties: { a: {} } }, { properties: { b: {} } }],
  }),
};

export const invalid: Invalid = {
  "fields beside the variants": {
    document: schema({ properties: { a: {} }, anyOf: [{ properties: { b: {} } }] }),
    findings: [error(thing, "Move the properties of Thing into each schema of its anyOf.")],
  },
};
