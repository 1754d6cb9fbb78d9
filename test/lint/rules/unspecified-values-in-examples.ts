import type { Node } from "../../../scripts/document/values.ts";
import { error, type Invalid, json, responseAt, type Valid, withResponse } from "../fragments.ts";

const kind = (more: Node = {}): Node => ({ type: "string", "x-leaves-unspecified": ["OPEN-1"], ...more });
const enumOf = "/components/schemas/Bounce/properties/kind/enum";

/** A document with an example of a message that may have a bounce, whose kind is unspecified. */
const bounced = (value: Node, kindSchema: Node = kind()): Node =>
  withResponse(
    "200",
    { content: json({ $ref: "#/components/schemas/Message" }, { shown: { value } }) },
    {
      components: {
        schemas: {
          Message: {
            properties: {
              bounce: { anyOf: [{ $ref: "#/components/schemas/Bounce" }, { type: "null" }] },
              bounces: { items: { $ref: "#/components/schemas/Bounce" } },
            },
          },
          Bounce: { properties: { kind: kindSchema, summary: { type: "string" } } },
        },
      },
      "x-unspecified": [{ id: "OPEN-1", text: "Nobody knows.", absent: [enumOf] }],
    },
  );

const at = `${responseAt("200")}/content/application~1json/examples/shown/value`;
const advice = "Write unspecified instead of hard: the service does not specify the values.";

export const valid: Valid = {
  "a value that reads unspecified": bounced({ bounce: { kind: "unspecified", summary: "Gone." } }),
  "no value": bounced({ bounce: null }),
  "a value of a text that has known values": bounced(
    { bounce: { kind: "hard" } },
    kind({ "x-extensible-enum": ["hard"] }),
  ),
  "a value of another text": bounced({ bounce: { kind: "unspecified", summary: "hard" } }),
};

export const invalid: Invalid = {
  "a value in an object": {
    document: bounced({ bounce: { kind: "hard" } }),
    findings: [error(`${at}/bounce/kind`, advice)],
  },
  "a value in an array": {
    document: bounced({ bounces: [{ kind: "unspecified" }, { kind: "hard" }] }),
    findings: [error(`${at}/bounces/1/kind`, advice)],
  },
};
