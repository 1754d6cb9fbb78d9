import { answering, document, error, type Invalid, json, type Valid } from "../fragments.ts";

const named = { components: { schemas: { Thing: { type: "object" } } } };

export const valid: Valid = {
  "a schema that is referred to": answering(
    "200",
    { content: json({ $ref: "#/components/schemas/Thing" }) },
    named,
  ),
  "a promise of its own": document({
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
        "Refer to Thing from somewhere, remove it, or say in x-encodes what it stands for.",
      ),
    ],
  },
};
