import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describe, expect, test } from "vitest";
import { type Edition, flat, openApi30 } from "../../scripts/document/editions.ts";
import { pointerOf, valueAtPointer } from "../../scripts/document/json-pointer.ts";
import { schemas } from "../../scripts/document/schemas.ts";
import { everyText, type Node, nodeOf } from "../../scripts/document/values.ts";
import { comparison, editions, instances, schemasOf, source } from "./edition-verdicts.ts";

const instancesOf = instances(200);

describe.each(editions)("%s", (file, edition) => {
  const losses = edition["x-losses"];

  test("each schema gives instances the verdict of the source without the losses", () => {
    const compare = comparison(edition, losses);
    for (const [name] of schemasOf(edition)) {
      const { different, rejected } = compare(name, instancesOf(name));
      expect({ different, rejected }, name).toEqual({ different: [], rejected: [] });
    }
  });

  test("is OpenAPI 3.0 without problems", async () => {
    const config = await createConfig({ extends: ["recommended-strict"] });
    const found = await lintFromString({ source: JSON.stringify(edition), config });
    expect(found.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });

  test("each loss is a part of openapi.json", () => {
    for (const { pointer } of losses) expect(valueAtPointer(source, pointer), pointer).toBeDefined();
  });

  test("no schema has a keyword that its readers do not know", () => {
    const keywords = new Set(schemas(edition).flatMap(({ schema }) => Object.keys(schema)));
    const unknown = file === "openapi-flat.json" ? ["not", "oneOf", "anyOf", "allOf"] : ["not"];
    expect(unknown.filter((keyword) => keywords.has(keyword))).toEqual([]);
  });

  test("every $ref leads to a component", () => {
    const references = everyText(edition).filter(({ path }) => path.at(-1) === "$ref");
    for (const { text } of references) expect(valueAtPointer(edition, text), text).toBeDefined();
  });
});

const [[, edition30]] = editions as [(typeof editions)[0]];
const defects: [title: string, component: string, defect: (schema: Node) => void][] = [
  ["a type that is no longer nullable", "BounceOrNull", (schema) => delete schema.nullable],
  [
    "a constant that is any string",
    "CancelResponse",
    ({ properties }) => delete nodeOf(nodeOf(properties).status).enum,
  ],
  ["a property that is no longer required", "ContactRequest", (schema) => delete schema.required],
  ["a limit that is missing", "Subject", (schema) => delete schema.maxLength],
  ["a limit that is too low", "MessageTags", (schema) => Object.assign(schema, { maxProperties: 19 })],
  ["items of any type", "Attachments", (schema) => Object.assign(schema, { items: {} })],
];

test.each(defects)("%s is found", (_title, component, defect) => {
  const edition = structuredClone(edition30);
  defect(nodeOf(nodeOf(nodeOf(edition.components).schemas)[component]));
  const { different } = comparison(edition, edition["x-losses"])(component, instancesOf(component));
  expect(different).not.toEqual([]);
});

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
