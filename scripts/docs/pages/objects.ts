import { valueAtPointer } from "../../document/json-pointer.ts";
import { operationsOf } from "../../document/operations.ts";
import type { OpenApiDocument, Schema } from "../../document/types.ts";
import { fieldEntry } from "../schema/field-entry.ts";
import { partsText, schemaText } from "../schema/fields.ts";
import { resolveSchema } from "../schema/resolve-schema.ts";
import { typeText } from "../schema/type.ts";
import { box } from "../text/layout.ts";
import { code, codeBlock, fieldList, joined, operationLinks, siteLink } from "../text/markdown.ts";
import { inWords, kebab, schemaPath } from "../text/page-paths.ts";
import { exampleValues } from "./object-example.ts";
import type { Page } from "./page.ts";

/** A page for each schema with a title, and one for all others. */
export function objectPages(document: OpenApiDocument): Page[] {
  const schemas = Object.entries(document.components.schemas ?? {});
  const operations = operationsOf(document).map(({ id, operation, parameters }) => ({
    id,
    pointers: pointersIn(document, [operation, parameters]),
  }));
  const usersOf = (name: string): string[] =>
    operations.filter(({ pointers }) => pointers.has(`#/components/schemas/${name}`)).map(({ id }) => id);
  const { objects = [], values = [] } = Object.groupBy(schemas, ([, { title }]) =>
    title === undefined ? "values" : "objects",
  );
  const examples = exampleValues(document);
  return [
    ...sorted(objects).map(([name, schema]) =>
      objectPage(document, { name, schema, users: usersOf(name), example: examples.get(name) }),
    ),
    valuesPage(document, sorted(values)),
  ];
}

const sorted = (schemas: [string, Schema][]): [string, Schema][] =>
  schemas.toSorted(([a], [b]) => a.localeCompare(b));

/** Every `$ref` in a part of the document, and in the parts that it refers to. */
function pointersIn(document: OpenApiDocument, part: unknown, found = new Set<string>()): Set<string> {
  for (const [, pointer = ""] of JSON.stringify(part).matchAll(/"\$ref":"([^"]+)"/g)) {
    if (found.has(pointer)) continue;
    found.add(pointer);
    pointersIn(document, valueAtPointer(document, pointer), found);
  }
  return found;
}

interface ObjectSource {
  name: string;
  schema: Schema;
  /** The operations that use it. */
  users: string[];
  example: unknown;
}

function objectPage(document: OpenApiDocument, { name, schema, users, example }: ObjectSource): Page {
  return {
    path: schemaPath(name, schema),
    title: inWords(name),
    isHelper: isHelper(document, name, schema),
    description: `${inWords(name)} (schema ${name}): fields, types and constraints.`,
    text: joined(
      schema.description,
      `Schema: ${code(name)}`,
      users.length === 0 ? "No operation uses it." : `Operations: ${operationLinks(users)}`,
      lifecycleText(document, name),
      exampleText(example),
      "## Fields",
      fieldList(schemaText({ document, prefix: "field" }, { $ref: `#/components/schemas/${name}` })),
    ),
  };
}

const exampleText = (example: unknown): string =>
  example === undefined
    ? ""
    : joined("## Example", box("panel response", codeBlock("json", JSON.stringify(example, null, 2))));

/** Whether a schema only helps to describe another one: a variant of it, a wrapper for null, or a map. */
function isHelper(document: OpenApiDocument, name: string, { properties, oneOf, anyOf }: Schema): boolean {
  if (properties === undefined && oneOf === undefined) return true;
  if (anyOf?.some(({ type }) => type === "null") === true) return true;
  const $ref = `#/components/schemas/${name}`;
  return Object.values(document.components.schemas ?? {}).some((other) =>
    other.oneOf?.some((variant) => variant.$ref === $ref),
  );
}

/** A link to the table of the states in which the properties of the schema are set and null. */
function lifecycleText(document: OpenApiDocument, name: string): string | undefined {
  const found = Object.entries(document["x-lifecycles"]).find(([, { records = [] }]) =>
    records.some(({ schema }) => schema === `#/components/schemas/${name}`),
  );
  return (
    found &&
    `Which properties are set or null in which state: ${siteLink("Lifecycles", `lifecycles#${found[0]}`)}.`
  );
}

function valuesPage(document: OpenApiDocument, values: [string, Schema][]): Page {
  const entries = values.map(([name, schema]) =>
    fieldEntry({
      name: code(name),
      anchor: kebab(name),
      type: typeText(document, schema),
      schema: resolveSchema(document, schema).schema,
      presence: undefined,
      description: schema.description,
      parts: partsText({ document, prefix: kebab(name) }, schema),
    }),
  );
  return {
    path: "objects/values",
    title: "Simple values",
    description: "The named strings, numbers and arrays of the document: meaning and constraints.",
    text: joined("The schemas that objects are made of, by name.", fieldList(...entries)),
  };
}
