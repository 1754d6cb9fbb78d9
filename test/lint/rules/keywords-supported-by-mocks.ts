import { document, error, type Invalid, schema, thing, type Valid } from "../fragments.ts";

export const valid: Valid = {
  "a condition that every tool knows": schema({ if: { required: ["a"] }, not: { required: ["b"] } }),
};

export const invalid: Invalid = {
  "a condition that the mock passes over": {
    document: schema({ dependentRequired: { a: ["b"] } }),
    findings: [
      error(
        `${thing}/dependentRequired`,
        "Replace dependentRequired of Thing by if, then, not, required or items: mocks ignore it.",
      ),
    ],
  },
  "a dialect": {
    document: document({ jsonSchemaDialect: "https://spec.openapis.org/oas/3.1/dialect/base" }),
    findings: [error("/jsonSchemaDialect", "Remove jsonSchemaDialect: it makes the mock accept everything.")],
  },
};
