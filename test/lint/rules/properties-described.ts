import { document, error, type Invalid, schema, thing, type Valid } from "../fragments.ts";

export const valid: Valid = {
  "a described field": schema({
    description: "A thing.",
    properties: { name: { description: "Its name." } },
  }),
  "a description by reference": document({
    components: {
      schemas: {
        Name: { description: "A name." },
        Thing: { description: "A thing.", properties: { name: { $ref: "#/components/schemas/Name" } } },
      },
    },
  }),
};

export const invalid: Invalid = {
  "a field without a description": {
    document: schema({ description: "A thing.", properties: { name: { type: "string" } } }),
    findings: [error(`${thing}/properties/name`, "Add a description to Thing.name.")],
  },
  "a schema without one": {
    document: schema({ type: "string", description: " " }),
    findings: [error(thing, "Add a description to Thing.")],
  },
};
