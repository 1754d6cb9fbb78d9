import { expect, test } from "vitest";
import { pointerOf } from "../../../scripts/document/json-pointer.ts";
import type { Node } from "../../../scripts/document/values.ts";
import { type Edition, flat, openApi30 } from "../../../scripts/generate/editions.ts";

const Note = {
  description: "A note.",
  type: "object",
  required: ["id", "text"],
  properties: { id: {}, text: {} },
};
const Link = {
  description: "A link.",
  type: "object",
  required: ["id", "url"],
  properties: { id: {}, url: {} },
};
const Time = { type: ["string", "null"], format: "date-time", "x-utc-offset": "zero" };

const documentWith = (schema: Node): Node => ({
  info: {},
  components: { schemas: { It: schema, Note, Link, Time } },
});
const to = (name: string): Node => ({ $ref: `#/components/schemas/${name}` });

/** The schema in an edition, and the pointers within it to what is lost. */
function converted({ document, lost }: Edition): { schema: unknown; lost: string[] } {
  const { It } = (document.components as { schemas: Node }).schemas;
  const pointers = lost.map(({ path }) => pointerOf(path));
  return { schema: It, lost: pointers.filter((pointer) => pointer.startsWith("/components/schemas/It")) };
}

test.for<[title: string, given: Node, want: Node, lost?: string[]]>([
  ["a constant", { const: "a" }, { enum: ["a"] }],
  ["examples", { type: "string", examples: ["a", "b"] }, { type: "string", example: "a" }],
  ["a type and null", { type: ["string", "null"] }, { type: "string", nullable: true }],
  ["a schema or null", { anyOf: [to("Note"), { type: "null" }] }, { ...Note, nullable: true }],
  [
    "several types and null",
    { oneOf: [{ type: "string" }, { type: "number" }, { type: "null" }] },
    { oneOf: [{ type: "string", nullable: true }, { type: "number" }] },
  ],
  ["a description beside a $ref", { ...to("Note"), description: "d" }, { ...Note, description: "d" }],
  [
    "a $ref to null",
    { ...to("Time"), description: "d" },
    { type: "string", format: "date-time", nullable: true, description: "d" },
  ],
  ["a union", { oneOf: [to("Note"), to("Link")] }, { oneOf: [to("Note"), to("Link")] }],
  ["a condition", { if: { required: ["a"] }, else: { required: ["b"] } }, {}, ["if"]],
  ["what is excluded", { type: "object", not: { required: ["a"] } }, { type: "object" }, ["not"]],
  ["names", { type: "object", propertyNames: { not: {} } }, { type: "object" }, ["propertyNames"]],
  ["base64", { type: "string", contentEncoding: "base64" }, { type: "string" }, ["contentEncoding"]],
  ["UTC", { format: "date-time", "x-utc-offset": "zero" }, { format: "date-time" }, ["x-utc-offset"]],
  [
    "any UTC offset, which the format requires",
    { format: "date-time", "x-utc-offset": "any" },
    { format: "date-time" },
  ],
  [
    "titles and extensions",
    { title: "T", "x-encodes": ["A-1"], "x-enum-varnames": ["A"] },
    { "x-enum-varnames": ["A"] },
  ],
  [
    "a property with the name of a keyword",
    { properties: { not: { const: 1 } } },
    { properties: { not: { enum: [1] } } },
  ],
])("OpenAPI 3.0: %s", ([, given, want, lost = []]) => {
  const edition = converted(openApi30(documentWith(given)));
  expect(edition).toEqual({ schema: want, lost: lost.map((keyword) => `/components/schemas/It/${keyword}`) });
});

const flattened = (schema: Node) => {
  const source = documentWith(schema);
  return flat(source, openApi30(source));
};

test("flat: variants that are objects become one object, which describes them", () => {
  const Other = { description: "Another.", type: "object", required: ["id"], properties: { id: {} } };
  const { schema } = converted(flattened({ description: "It.", oneOf: [to("Note"), to("Link"), Other] }));
  expect(schema).toEqual({
    description: "It.\n\n- A note. Requires `text`.\n- A link. Requires `url`.\n- Another.",
    type: "object",
    required: ["id"],
    properties: { id: {}, text: {}, url: {} },
  });
});

test("flat: the properties that only one variant restricts are named, and those that are no longer required", () => {
  const { lost } = flattened({ oneOf: [to("Note"), { ...Link, not: { required: ["text"] } }] });
  expect(lost.map(({ path, restricted }) => [pointerOf(path), restricted])).toEqual([
    ["/components/schemas/It/oneOf/1/not", undefined],
    ["/components/schemas/Time/x-utc-offset", undefined],
    ["/components/schemas/It/oneOf", ["url"]],
    ["/components/schemas/Note/required/1", undefined],
    ["/components/schemas/It/oneOf/1/required/1", undefined],
  ]);
});

test("flat: other variants become any value", () => {
  const edition = converted(flattened({ oneOf: [{ type: "string" }, { type: "number" }] }));
  expect(edition).toEqual({ schema: {}, lost: ["/components/schemas/It/oneOf"] });
});
