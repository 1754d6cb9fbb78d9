import { error, type Invalid, schema, thing, type Valid } from "../fragments.ts";

export const valid: Valid = {
  "a schema that takes anything": schema({ items: {} }),
  "a boolean that every tool takes": schema({ additionalProperties: true }),
};

export const invalid: Invalid = {
  "a field that must not be there": {
    document: schema({ properties: { subject: false } }),
    findings: [
      error(
        `${thing}/properties/subject`,
        "Write not: { required: [...] } on the object instead of false at properties.subject.",
      ),
    ],
  },
  "entries of any kind": {
    document: schema({ items: true }),
    findings: [error(`${thing}/items`, "Write {} instead of true at items.")],
  },
};
