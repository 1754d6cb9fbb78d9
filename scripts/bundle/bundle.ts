import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { type Files, readText, writeChanges } from "../../lib/files.ts";
import { mapValues } from "../../lib/objects.ts";
import { printLine } from "../../lib/print.ts";
import { UserError } from "../../lib/user-error.ts";
import { notice } from "../common/notice.ts";
import { displayPath, generatedFolder, rootDocument } from "../common/paths.ts";
import { pointerOf, valueAtPointer } from "../document/json-pointer.ts";
import { limitOf } from "../document/limits.ts";
import { locator, type SourcePlace } from "../document/locate.ts";
import { abilitiesOf, operationsOf, type PlacedNode, parametersOf, tagsOf } from "../document/operations.ts";
import { follow } from "../document/references.ts";
import type { OpenApiDocument } from "../document/types.ts";
import {
  entriesOf,
  everyText,
  isNode,
  listOf,
  type Node,
  nodeOf,
  type Path,
  rowsOf,
  textOf,
  textsOf,
} from "../document/values.ts";
import { mergeFiles } from "./merge.ts";

/**
 * Bundles the split document: one value in which every `$ref` points to a component of the same value. The order of
 * keys depends on the sources alone. Writes nothing.
 * @param source the root file of the document, absolute
 * @param read reads a file
 * @throws UserError with file, line and column for invalid YAML, an unresolved `$ref` and an unknown operation
 */
export async function bundle(source: string = rootDocument, read = readText): Promise<OpenApiDocument> {
  const { document: merged, files } = await mergeFiles(source, { read });
  const document = await expandSelectors(ordered(flattened(merged)), locator(source, files, read));
  verifyBundle(document, source, files);
  return withLimits(document as unknown as OpenApiDocument);
}

/**
 * The document with the properties of schemas marked `x-flatten` in the schemas that list them in `allOf`, after their own:
 * renderers and generators show all properties of flat schemas only.
 */
function flattened(document: Node): Node {
  const components = nodeOf(document.components);
  const schemas = entriesOf(components.schemas);
  const isShared = ([, schema]: [string, Node]): boolean => schema["x-flatten"] === true;
  const shared = new Map(
    schemas.filter(isShared).map(([name, schema]) => [`#/components/schemas/${name}`, schema]),
  );
  const partOf = (part: unknown): Node | undefined => shared.get(textOf(nodeOf(part).$ref));
  const flat = schemas
    .filter((entry) => !isShared(entry))
    .map(([name, given]) => {
      const { allOf, ...schema } = given;
      const parts = [
        schema,
        ...listOf(allOf)
          .map(partOf)
          .filter((part) => part !== undefined),
      ];
      if (parts.length === 1) return [name, given];
      const rest = listOf(allOf).filter((part) => partOf(part) === undefined);
      const properties = Object.assign({}, ...parts.map((part) => part.properties));
      return [name, { ...schema, ...(rest.length > 0 && { allOf: rest }), properties }];
    });
  return { ...document, components: { ...components, schemas: Object.fromEntries(flat) } };
}

/** The folders whose files are components, each under the name of its file. */
const componentFolders = ["schemas", "responses", "parameters", "headers", "examples"] as const;

const rootOrder = "openapi info jsonSchemaDialect servers security tags paths components".split(" ");

/** The document in a fixed order: the root as in the OpenAPI specification, then the tables; components by name. */
function ordered(document: Node): Node {
  const components = mapValues(nodeOf(document.components), (named) =>
    inOrder(nodeOf(named), Object.keys(nodeOf(named)).sort()),
  );
  const all = { ...document, components: inOrder(components, ["securitySchemes", ...componentFolders]) };
  return inOrder(all, rootOrder);
}

/** An object with some keys first, if it has them. */
const inOrder = (node: Node, first: readonly string[]): Node => ({
  ...Object.fromEntries(first.filter((key) => key in node).map((key) => [key, node[key]])),
  ...node,
});

/** The `bundle` command: writes the bundle as JSON and YAML, both or neither, prints what changed, and returns the exit code. */
export async function runBundle(): Promise<number> {
  const changes = await writeChanges(generatedFolder, bundleFiles(await bundle(), notice));
  for (const { file, status } of changes) printLine(`${status.padEnd(9)} generated/${file}`);
  return 0;
}

/** The bundle as JSON and as YAML, both with a notice at their root (`x-generated`), if there is one. */
export function bundleFiles({ openapi, info, ...rest }: OpenApiDocument, notice?: string): Files {
  const marked = { openapi, info, ...(notice && { "x-generated": notice }), ...rest };
  // YAML 1.1 readers would not take a bare timestamp, `yes` or `on` for a string.
  const yaml = stringify(marked, { aliasDuplicateObjects: false, lineWidth: 110, compat: "yaml-1.1" });
  return new Map([
    ["openapi.json", `${JSON.stringify(marked, null, 2)}\n`],
    ["openapi.yaml", notice ? `# ${notice}\n${yaml}` : yaml],
  ]);
}

/**
 * Verifies that every `$ref` of a bundle resolves within it, and that every component has the name of its file.
 * @throws UserError for the first that does not
 */
function verifyBundle(bundle: Node, source: string, files: string[]): void {
  for (const { path, text } of everyText(bundle)) {
    if (path.at(-1) !== "$ref" || (text.startsWith("#/") && valueAtPointer(bundle, text) !== undefined))
      continue;
    throw new UserError(
      `${displayPath(source)}: unresolved $ref "${text}" at ${pointerOf(path.slice(0, -1))}`,
      { hint: "A $ref works where OpenAPI or JSON Schema has one, and in the x- tables of the root." },
    );
  }
  for (const kind of componentFolders)
    for (const name of Object.keys(nodeOf(nodeOf(bundle.components)[kind]))) {
      const file = join(dirname(source), kind, `${name}.yaml`);
      if (files.includes(file)) continue;
      const hint = `Keep each component in openapi/${kind}/ under its own name and refer to it as ../${kind}/${name}.yaml.`;
      throw new UserError(
        `components/${kind}/${name} must have the name of its file: there is no ${displayPath(file)}`,
        { hint },
      );
    }
}

/**
 * The document with the numbers of limits in its texts: `{{idempotencyWindow}}` becomes the number of that row.
 * @throws UserError with a JSON Pointer for an unknown limit
 */
function withLimits(document: OpenApiDocument): OpenApiDocument {
  const rows = document["x-limits"] ?? {};
  const number = (text: string, name: string): string => {
    const row = rows[name];
    return String((row && limitOf(document, name, row)) ?? text);
  };
  const filled = JSON.parse(JSON.stringify(document), (_, value: unknown) =>
    typeof value === "string" ? value.replace(/\{\{(\w+)\}\}/g, number) : value,
  );
  for (const { path, text } of everyText(filled)) {
    const [left] = /\{\{\w+\}\}/.exec(text) ?? [];
    if (left === undefined) continue;
    const hint = `Add it to openapi/limits.yaml, or use one of ${Object.keys(rows).join(", ")}.`;
    throw new UserError(`${pointerOf(path)} names the unknown limit ${left}`, { hint });
  }
  return filled;
}

/** The root extension that defines the selectors (`openapi/selectors.yaml`). The bundle does not keep it. */
const definitions = "x-operation-selectors";

/** A selector that cannot be expanded, before its place in the sources is known. */
class SelectorProblem extends UserError {
  readonly path: Path;
  constructor(path: Path, message: string, hint: string) {
    super(message, { hint });
    this.path = path;
  }
}

/**
 * Replaces the operation selectors in `operations` and `x-operations` by lists of operationIds.
 * @param locate finds a JSON Pointer in the sources
 * @throws UserError with file, line and column for an unknown name and for a selector that selects nothing
 */
async function expandSelectors(document: Node, locate: (pointer: string) => Promise<SourcePlace>) {
  try {
    const sets = new Map(operationsOf(document).map(({ id: name }) => [name, [name]]));
    for (const [name, definition] of Object.entries(nodeOf(document[definitions])))
      sets.set(name, selected(document, name, definition));
    const { [definitions]: _, ...rest } = document;
    return expanded(rest, [], sets) as Node;
  } catch (error) {
    if (!(error instanceof SelectorProblem)) throw error;
    const { file, line, column } = await locate(pointerOf(error.path));
    throw new UserError(`${file}:${line}:${column}: ${error.message}`, { hint: error.hint });
  }
}

/** What the conditions of a selector compare: the values that an operation has for each of them. */
function propertiesOf(document: Node, place: PlacedNode): Record<string, string[]> {
  const { path, method, operation } = place;
  const tags = rowsOf(document.tags).filter(([, tag]) => tagsOf(place).includes(textOf(tag.name)));
  const segments = path.split("/");
  const parameters = parametersOf(document, place);
  return {
    tag: tagsOf(place),
    product: tags.flatMap(([, tag]) => textsOf(tag["x-product"])),
    ability: abilitiesOf(operation),
    method: [method],
    path: segments.map((_, index) => segments.slice(0, index + 1).join("/")),
    parameter: parameters.map(({ value }) => textOf(value.name)),
    query: parameters.filter(({ value }) => value.in === "query").map(({ value }) => textOf(value.name)),
    requestBody: entriesOf(follow(document, [], operation.requestBody).value.content).map(([type]) => type),
  };
}

function selected(document: Node, name: string, definition: unknown): string[] {
  const problem = (what: string, hint: string) =>
    new SelectorProblem([definitions, name], `the selector ${name} ${what}`, hint);
  const alternatives = [definition].flat().map(nodeOf);
  const all = operationsOf(document);
  if (all.some((operation) => operation.id === name))
    throw problem("has the name of an operation", "Rename the selector.");
  const known = all.map((place) => ({ name: place.id, has: propertiesOf(document, place) }));
  for (const key of alternatives.flatMap(Object.keys))
    if (known[0] && !(key in known[0].has))
      throw problem(`has the unknown condition ${key}`, `Use ${Object.keys(known[0].has).join(", ")}.`);
  const meets = (has: Record<string, string[]>, conditions: Node): boolean =>
    Object.entries(conditions).every(([key, wanted]) =>
      wanted === true ? has[key]?.length : textsOf(wanted).some((value) => has[key]?.includes(value)),
    );
  const found = known.filter(({ has }) => alternatives.some((conditions) => meets(has, conditions)));
  if (found.length === 0) throw problem("selects no operation", "Correct or remove it.");
  return found.map((operation) => operation.name);
}

/** The value with every list of operations expanded. */
function expanded(value: unknown, path: Path, sets: Map<string, string[]>): unknown {
  if (Array.isArray(value)) return value.map((item, index) => expanded(item, [...path, index], sets));
  if (!isNode(value)) return value;
  return mapValues(value, (inner, key) => {
    const here = [...path, key];
    const lists = key === "x-operations" || (key === "operations" && String(path[0]).startsWith("x-"));
    if (!lists) return expanded(inner, here, sets);
    if (!Array.isArray(inner)) return setOf(inner, here, sets);
    return [...new Set(inner.flatMap((name, index) => setOf(name, [...here, index], sets)))];
  });
}

function setOf(name: unknown, path: Path, sets: Map<string, string[]>): string[] {
  const set = sets.get(String(name));
  if (set !== undefined) return set;
  throw new SelectorProblem(
    path,
    `no operation and no selector is called ${JSON.stringify(name)}`,
    "Use an operationId, or a selector of openapi/selectors.yaml.",
  );
}
