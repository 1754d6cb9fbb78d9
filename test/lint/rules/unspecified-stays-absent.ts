import type { Node } from "../../../scripts/document/values.ts";
import { document, error, getThing, type Invalid, operation, type Valid } from "../fragments.ts";

const open = (absent: string, parts: Node) =>
  operation(parts, { "x-unspecified": [{ id: "OPEN-1", text: "Nobody knows.", absent: [absent] }] });

export const valid: Valid = {
  "nothing at the place": open(`${getThing}/deprecated`, {}),
  "a row without a place": document({ "x-unspecified": [{ id: "OPEN-1", text: "Nobody knows." }] }),
};

export const invalid: Invalid = {
  "a value at the place": {
    document: open(`${getThing}/deprecated`, { deprecated: false }),
    findings: [
      error(`${getThing}/deprecated`, "Remove deprecated: OPEN-1 leaves it unspecified (Nobody knows.)"),
    ],
  },
  "a value at any place of many": {
    document: open("/paths/*/*/responses/400", { responses: { "400": {} } }),
    findings: [
      error(`${getThing}/responses/400`, "Remove 400: OPEN-1 leaves it unspecified (Nobody knows.)"),
    ],
  },
  "an entry of a list": {
    document: open("/paths/*/*/tags/*", { tags: ["Things"] }),
    findings: [error(`${getThing}/tags/0`, 'Remove "Things": OPEN-1 leaves it unspecified (Nobody knows.)')],
  },
  "a value behind a reference": {
    document: document({
      components: {
        schemas: {
          Thing: { properties: { name: { $ref: "#/components/schemas/Name" } } },
          Name: { enum: ["a"] },
        },
      },
      "x-unspecified": [
        { id: "OPEN-1", text: "Nobody knows.", absent: ["/components/schemas/Thing/properties/name/enum"] },
      ],
    }),
    findings: [
      error("/components/schemas/Name/enum", "Remove enum: OPEN-1 leaves it unspecified (Nobody knows.)"),
    ],
  },
};
