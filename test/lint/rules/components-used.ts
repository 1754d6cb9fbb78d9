import { document, error, type Invalid, json, type Valid, withResponse } from "../fragments.ts";

const named = { components: { schemas: { Thing: { type: "object" } } } };

export const valid: Valid = {
  "a schema that is referred to": withResponse(
    "200",
    { content: json({ $ref: "#/components/schemas/Thing" }) },
    named,
  ),
  "a requirement of its own": document({
    components: { schemas: { Thing: { properties: { name: { "x-encodes": ["THING-1"] } } } } },
  }),
  "a security scheme": document({ components: { securitySchemes: { bearerAuth: {} } } }),
};

export const invalid: Invalid = {
  "a schema that nothing refers to": {
    document: document(named),
    findings: [
      error(
        "/components/schemas/Thing",
        "Reference Thing, remove it, or add x-encodes with the requirement it encodes.",
      ),
    ],
  },
};
