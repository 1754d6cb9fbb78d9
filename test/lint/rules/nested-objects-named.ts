import { document, error, type Invalid, json, schema, thing, type Valid } from "../fragments.ts";

const move = (name: string) => `Move ${name} to a file in openapi/schemas/ and refer to it.`;

export const valid: Valid = {
  "an object that is a component": schema({ type: "object" }),
  "an object by reference": schema({ properties: { other: { $ref: "#/components/schemas/Thing" } } }),
  "a condition on an object": schema({ type: "object", not: { properties: { id: {} } } }),
};

export const invalid: Invalid = {
  "an object in an object": {
    document: schema({ properties: { inner: { type: "object" } } }),
    findings: [error(`${thing}/properties/inner`, move("Thing.inner"))],
  },
  "objects in a list": {
    document: schema({ type: "array", items: { properties: { id: {} } } }),
    findings: [error(`${thing}/items`, move("Thing[]"))],
  },
  "an object as the body of a request": {
    document: document({
      paths: {
        "/things": {
          post: { operationId: "makeThing", requestBody: { content: json({ type: "object" }) } },
        },
      },
    }),
    findings: [
      error(
        "/paths/~1things/post/requestBody/content/application~1json/schema",
        move("the request of makeThing"),
      ),
    ],
  },
};
