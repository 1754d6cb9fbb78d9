import type { Node } from "../../../scripts/document/values.ts";
import {
  document,
  error,
  failing,
  failure,
  type Invalid,
  json,
  responseAt,
  row,
  type Valid,
} from "../fragments.ts";

const example = `${responseAt("422")}/content/application~1json/examples/invalid`;
const invalidExample = (fields?: Node) => ({ invalid: failure("invalid_request", fields && { fields }) });

const rows = [row(422, "invalid_request", { namesFields: true })];

const list = { items: { properties: { name: {} } } };

/** `getThing` with a request that has these fields, rejected with this example. */
const invalidRequest = (fields?: Node, properties: Node = { name: {} }): Node => {
  const made = failing("422", invalidExample(fields), rows);
  const paths = structuredClone(made.paths) as Record<string, { get: Node }>;
  for (const item of Object.values(paths)) item.get.requestBody = { content: json({ properties }) };
  return { ...made, paths };
};

/** `makeThings`, whose request is a list of things and nothing else, rejected with this example. */
const batch = (fields: Node): Node =>
  document({
    "x-errors": rows,
    paths: {
      "/api/v1/things/batch": {
        post: {
          operationId: "makeThings",
          requestBody: { content: json({ properties: { things: list } }) },
          responses: { "422": { content: json({}, invalidExample(fields)) } },
        },
      },
    },
  });

export const valid: Valid = {
  "an error that names no fields": failing("422", invalidExample(), [row(422, "invalid_request")]),
  "a field of the request": invalidRequest({ name: ["Too long."] }),
  "a place within a field": invalidRequest({ "name.0.first": ["Too long."] }),
  "a position in a batch": batch({ "things.2.name": ["Too long."] }),
  "a list that is not the whole request": invalidRequest({ parts: ["Too many."] }, { name: {}, parts: list }),
};

export const invalid: Invalid = {
  "no field at all": {
    document: invalidRequest(),
    findings: [error(example, "Add the invalid fields to error.fields of the example invalid.")],
  },
  "no fault at the field": {
    document: invalidRequest({ name: [] }),
    findings: [error(example, "Add to the example invalid what is wrong with name, as a list of strings.")],
  },
  "a field that the request does not have": {
    document: invalidRequest({ colour: ["Too bright."] }),
    findings: [error(example, "Use a field of getThing in the example invalid (got colour).")],
  },
  "a field of a batch without its position": {
    document: batch({ name: ["Too long."] }),
    findings: [
      error(
        "/paths/~1api~1v1~1things~1batch/post/responses/422/content/application~1json/examples/invalid",
        "Change name in the example invalid to things.<index>.<field>.",
      ),
    ],
  },
};
