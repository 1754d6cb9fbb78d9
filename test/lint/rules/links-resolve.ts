import type { Node } from "../../../scripts/document/values.ts";
import { document, error, type Invalid, json, type Valid } from "../fragments.ts";

const made = {
  oneOf: [{ properties: { id: {} } }, { properties: { data: { items: { properties: { id: {} } } } } }],
};

/** A document in which making a thing links to looking it up. */
const linking = (link: Node) =>
  document({
    paths: {
      "/api/v1/things": {
        post: {
          operationId: "makeThing",
          responses: { "201": { content: json(made), links: { look: link } } },
        },
      },
      "/api/v1/things/{id}": {
        parameters: [{ name: "id", in: "path", required: true }],
        get: { operationId: "getThing", responses: {} },
        patch: {
          operationId: "changeThing",
          responses: {
            "200": { links: { again: { operationId: "getThing", parameters: { id: "$request.path.id" } } } },
          },
        },
      },
    },
  });
const look = (id: string) => ({ operationId: "getThing", parameters: { id } });
const at = "/paths/~1api~1v1~1things/post/responses/201/links/look";

export const valid: Valid = {
  "an id of the response": linking(look("$response.body#/id")),
  "an id of the first entry": linking(look("$response.body#/data/0/id")),
  "a fixed value": linking(look("thing_1")),
};

export const invalid: Invalid = {
  "no such operation": {
    document: linking({ operationId: "getThong" }),
    findings: [error(at, "Set a known operationId in the link look of the 201 response of makeThing.")],
  },
  "another parameter": {
    document: linking({ operationId: "getThing", parameters: { key: "thing_1" } }),
    findings: [
      error(
        at,
        "Set the parameter id in the link look of the 201 response of makeThing: getThing requires it.",
      ),
      error(
        at,
        "Remove the parameter key from the link look of the 201 response of makeThing: getThing does not have it.",
      ),
    ],
  },
  "a field that the response does not have": {
    document: linking(look("$response.body#/data/0/name")),
    findings: [
      error(
        at,
        "Correct $response.body#/data/0/name in the link look of the 201 response of makeThing: there is no such value.",
      ),
    ],
  },
  "a parameter that the request does not have": {
    document: linking(look("$request.path.id")),
    findings: [
      error(
        at,
        "Correct $request.path.id in the link look of the 201 response of makeThing: there is no such value.",
      ),
    ],
  },
};
