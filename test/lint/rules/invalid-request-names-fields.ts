import type { Node } from "../../../scripts/document/values.ts";
import { answerAt, document, error, failing, failure, type Invalid, json, type Valid } from "../fragments.ts";

const example = `${answerAt("422")}/content/application~1json/examples/invalid`;
const invalidRequest = (fields?: Node) => ({ invalid: failure("invalid_request", fields && { fields }) });

const list = { items: { properties: { name: {} } } };

/** `getThing` with a request that has these fields, refused with this example. */
const refused = (fields?: Node, properties: Node = { name: {} }): Node => {
  const made = failing("422", invalidRequest(fields), []);
  const paths = structuredClone(made.paths) as Record<string, { get: Node }>;
  for (const item of Object.values(paths)) item.get.requestBody = { content: json({ properties }) };
  return { ...made, paths };
};

/** `makeThings`, whose request is a list of things and nothing else, refused with this example. */
const batch = (fields: Node): Node =>
  document({
    paths: {
      "/api/v1/things/batch": {
        post: {
          operationId: "makeThings",
          requestBody: { content: json({ properties: { things: list } }) },
          responses: { "422": { content: json({}, invalidRequest(fields)) } },
        },
      },
    },
  });

export const valid: Valid = {
  "a field of the request": refused({ name: ["Too long."] }),
  "a place within a field": refused({ "name.0.first": ["Too long."] }),
  "a position in a batch": batch({ "things.2.name": ["Too long."] }),
  "a list that is not the whole request": refused({ parts: ["Too many."] }, { name: {}, parts: list }),
};

export const invalid: Invalid = {
  "no field at all": {
    document: refused(),
    findings: [error(example, "Name the refused fields in error.fields of the example invalid.")],
  },
  "no fault at the field": {
    document: refused({ name: [] }),
    findings: [error(example, "Say in the example invalid what is wrong with name: a list of sentences.")],
  },
  "a field that the request does not have": {
    document: refused({ colour: ["Too bright."] }),
    findings: [error(example, "Name a field of getThing in the example invalid: colour is none.")],
  },
  "a field of a batch without its position": {
    document: batch({ name: ["Too long."] }),
    findings: [
      error(
        "/paths/~1api~1v1~1things~1batch/post/responses/422/content/application~1json/examples/invalid",
        "Write name in the example invalid with its position: things.<index>.<field>.",
      ),
    ],
  },
};
