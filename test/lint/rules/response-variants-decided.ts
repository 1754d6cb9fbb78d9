import type { Node } from "../../../scripts/document/values.ts";
import { error, type Invalid, json, operation, thing, type Valid } from "../fragments.ts";

const variants = [{ $ref: "#/components/schemas/Now" }, { $ref: "#/components/schemas/Later" }];
const decided = {
  property: "at",
  present: "#/components/schemas/Later",
  absent: "#/components/schemas/Now",
};

/** `getThing` with a request that has `at`, and a response with this schema. */
const response = (schema: Node): Node =>
  operation(
    {
      requestBody: { content: json({ properties: { at: {} } }) },
      responses: { "200": { content: json({ $ref: "#/components/schemas/Thing" }) } },
    },
    { components: { schemas: { Thing: schema, Now: {}, Later: {} } } },
  );

export const valid: Valid = {
  "variants that the request decides": response({ anyOf: variants, "x-variant-by-request": decided }),
  "a variant or null": response({ anyOf: [variants[0] ?? {}, { type: "null" }] }),
};

export const invalid: Invalid = {
  "variants that nothing decides": {
    document: response({ oneOf: variants }),
    findings: [
      error(
        thing,
        "Add x-variant-by-request to Thing, so that no response is valid as the variant for another request.",
      ),
    ],
  },
  "a property that no request has": {
    document: response({ anyOf: variants, "x-variant-by-request": { ...decided, property: "when" } }),
    findings: [error(thing, "Set property in x-variant-by-request of Thing to a field of a request.")],
  },
  "another schema than the variants": {
    document: response({
      anyOf: variants,
      "x-variant-by-request": { ...decided, absent: "#/components/schemas/Never" },
    }),
    findings: [
      error(thing, "Set absent in x-variant-by-request of Thing to the $ref of one of its variants."),
    ],
  },
};
