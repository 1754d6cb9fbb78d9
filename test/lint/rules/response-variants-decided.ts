import type { Node } from "../../../scripts/document/values.ts";
import { error, type Invalid, json, operation, thing, type Valid } from "../fragments.ts";

const varied = { if: { required: ["at"] }, else: { required: ["to"] } };

/** `getThing` with a request that has `at`, and a response with this schema. */
const response = (schema: Node): Node =>
  operation(
    {
      requestBody: { content: json({ properties: { at: {}, to: {} } }) },
      responses: { "200": { content: json({ $ref: "#/components/schemas/Thing" }) } },
    },
    { components: { schemas: { Thing: schema } } },
  );

export const valid: Valid = {
  "a condition that the request decides": response({ ...varied, "x-variant-by-request": "at" }),
  "a response without a condition": response({ type: "object" }),
};

export const invalid: Invalid = {
  "a condition that nothing decides": {
    document: response(varied),
    findings: [
      error(
        thing,
        "Add x-variant-by-request to Thing, so that no response is valid as the variant for another request.",
      ),
    ],
  },
  "a property that no request has": {
    document: response({ if: { required: ["when"] }, else: {}, "x-variant-by-request": "when" }),
    findings: [
      error(`${thing}/x-variant-by-request`, "Set x-variant-by-request of Thing to a field of a request."),
    ],
  },
  "another condition": {
    document: response({ ...varied, "x-variant-by-request": "to" }),
    findings: [
      error(
        `${thing}/x-variant-by-request`,
        "Make the condition of Thing if: { required: [to] }, as its x-variant-by-request says.",
      ),
    ],
  },
};
