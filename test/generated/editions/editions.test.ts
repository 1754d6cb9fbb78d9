import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describe, expect, test } from "vitest";
import { valueAtPointer } from "../../../scripts/document/json-pointer.ts";
import { schemas } from "../../../scripts/document/schemas.ts";
import { everyText, type Node, nodeOf } from "../../../scripts/document/values.ts";
import { schemasOf } from "./validators.ts";
import { comparison, editions, instances, source } from "./verdicts.ts";

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

const [[, openApi30]] = editions as [(typeof editions)[0]];
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
  const edition = structuredClone(openApi30);
  defect(nodeOf(nodeOf(nodeOf(edition.components).schemas)[component]));
  const { different } = comparison(edition, edition["x-losses"])(component, instancesOf(component));
  expect(different).not.toEqual([]);
});
