import { firstSentence, markdownTable } from "../../../lib/text.ts";
import { examplesOf, mediaTypes } from "../../document/media-types.ts";
import { operationsOf } from "../../document/operations.ts";
import { referencesIn } from "../../document/references.ts";
import { describedValues } from "../../document/schemas.ts";
import type { OpenApiDocument, Schema } from "../../document/types.ts";
import { isNode, listOf, type Node, nodeOf, textsOf } from "../../document/values.ts";
import { inWords, kebab, type Page, schemaPath } from "../page.ts";
import { fieldEntry, type SchemaContext, schemaText } from "../schema/fields.ts";
import { box, code, codeBlock, fieldList, joined, operationLinks, siteLink } from "../text/markdown.ts";

/** A list of all objects, a page for each schema with a title, and one for all others. */
export function objectPages(document: OpenApiDocument): Page[] {
  const schemas = Object.entries(document.components.schemas ?? {}).sort(([a], [b]) => a.localeCompare(b));
  const operations = operationsOf(document).map(({ id, operation, parameters }) => ({
    id,
    pointers: referencesIn(document, [operation, parameters]),
  }));
  const usersOf = (name: string): string[] =>
    operations.filter(({ pointers }) => pointers.has(`#/components/schemas/${name}`)).map(({ id }) => id);
  const sent = referencesIn(document, [
    operationsOf(document).map(({ operation }) => operation.requestBody ?? {}),
  ]);
  const { objects = [], values = [] } = Object.groupBy(schemas, ([, { title }]) =>
    title === undefined ? "values" : "objects",
  );
  const examples = exampleValues({ ...document });
  const pages = objects.map((object) =>
    objectPage(
      { document, prefix: "field", isResponse: !sent.has(`#/components/schemas/${object[0]}`) },
      object,
      usersOf(object[0]),
      examples.get(object[0]),
    ),
  );
  const valuePage = valuesPage(document, values);
  return [listPage(document, objects, valuePage), ...pages, valuePage];
}

function listPage(document: OpenApiDocument, objects: [string, Schema][], values: Page): Page {
  const row = ([name, schema]: [string, Schema]): string[] => [
    siteLink(inWords(name), schemaPath(name, schema)),
    firstSentence(schema.description ?? ""),
  ];
  const { main = [], helpers = [] } = Object.groupBy(objects, ([name, schema]) =>
    isHelper(document, name, schema) ? "helpers" : "main",
  );
  const head = ["Object", "What it is"];
  return {
    path: "objects",
    source: "openapi/openapi.yaml",
    title: "Objects",
    label: "All objects",
    description: "The objects of requests and responses, and the values that they are made of.",
    text: joined(
      "The objects of requests and responses, by name.",
      // A search for a word should find the page of the object.
      "<div data-pagefind-ignore>",
      markdownTable(head, [...main.map(row), [siteLink(values.title, values.path), values.description]]),
      helpers.length === 0 ? "" : joined("## Parts of objects", markdownTable(head, helpers.map(row))),
      "</div>",
    ),
  };
}

const objectPage = (
  context: SchemaContext,
  [name, schema]: [string, Schema],
  users: string[],
  example: unknown,
): Page => ({
  path: schemaPath(name, schema),
  source: `openapi/schemas/${name}.yaml`,
  title: inWords(name),
  isHelper: isHelper(context.document, name, schema),
  description: firstSentence(schema.description ?? name),
  text: joined(
    schema.description,
    `Schema: ${code(name)}`,
    users.length === 0 ? "" : `Operations: ${operationLinks(users)}`,
    lifecycleText(context.document, name),
    example === undefined
      ? ""
      : joined("## Example", box("panel response", codeBlock("json", JSON.stringify(example, null, 2)))),
    "## Fields",
    fieldList(schemaText(context, { $ref: `#/components/schemas/${name}` })),
  ),
});

/** Whether a schema only helps to describe another one: a variant of it, a wrapper for null, or a map. */
function isHelper(document: OpenApiDocument, name: string, { properties, oneOf }: Schema): boolean {
  if (properties === undefined && oneOf === undefined) return true;
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
    fieldEntry({ document, prefix: kebab(name) }, schema, { name: code(name) }),
  );
  return {
    path: "objects/values",
    source: "openapi/openapi.yaml",
    title: "Simple values",
    description: "The named strings, numbers and arrays of the document: meaning and constraints.",
    text: joined("The schemas that objects are made of, by name.", fieldList(...entries)),
  };
}

/** The first value of each named schema in the examples of the document. */
function exampleValues(document: Node): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  for (const { path, media } of mediaTypes(document))
    for (const { example } of examplesOf(document, path, media)) {
      const body = { path: [], value: nodeOf(media.schema) };
      for (const { value, schema } of describedValues(document, body, { path: [], value: example.value })) {
        const [, kind, name = "", ...inner] = schema.path;
        const isNamed = kind === "schemas" && inner.length === 0;
        if (isNamed && value !== null && !found.has(String(name)) && isLike(value, schema.value))
          found.set(String(name), value);
      }
    }
  return found;
}

/** Whether an object has the properties that a schema requires, and none that it does not know. */
function isLike(value: unknown, { required, properties }: Node): boolean {
  if (!isNode(value)) return true;
  const names = Object.keys(value);
  return (
    textsOf(listOf(required)).every((name) => names.includes(name)) &&
    (properties === undefined || names.every((name) => name in nodeOf(properties)))
  );
}
