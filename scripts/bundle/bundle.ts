import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { type Files, readText, writeChanges } from "../../lib/files.ts";
import { printLine } from "../../lib/print.ts";
import { UserError } from "../../lib/user-error.ts";
import { notice } from "../common/notice.ts";
import { displayPath, generatedFolder, rootDocument } from "../common/paths.ts";
import { pointerOf, valueAtPointer } from "../document/json-pointer.ts";
import { limitOf } from "../document/limits.ts";
import { locator } from "../document/locate.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { entriesOf, everyText, listOf, type Node, nodeOf, textOf } from "../document/values.ts";
import { mergeFiles } from "./merge.ts";
import { expandSelectors } from "./selectors.ts";

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
 * Bundles the document and writes it as JSON and YAML, both or neither.
 * @param folder for `openapi.json` and `openapi.yaml`; default: `generated/`
 */
export async function writeBundle(options: { source?: string; folder?: string } = {}) {
  const document = await bundle(options.source);
  const changes = await writeChanges(options.folder ?? generatedFolder, bundleFiles(document, notice));
  return { document, changes };
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
const componentOrder: readonly string[] = ["securitySchemes", ...componentFolders];

/** The document in a fixed order: the root as in the OpenAPI specification, then the tables; components by name. */
function ordered(document: Node): Node {
  const kinds = entriesOf(document.components).sort(byRank(componentOrder));
  const components = kinds.map(([kind, named]) => [
    kind,
    Object.fromEntries(Object.entries(named).sort(([one], [other]) => (one < other ? -1 : 1))),
  ]);
  const all = { ...document, components: Object.fromEntries(components) };
  return Object.fromEntries(Object.entries(all).sort(byRank(rootOrder)));
}

const byRank =
  (order: readonly string[]) =>
  ([one]: [string, unknown], [other]: [string, unknown]): number =>
    rank(order, one) - rank(order, other);

const rank = (order: readonly string[], name: string): number =>
  order.includes(name) ? order.indexOf(name) : order.length;

/** The `bundle` command: writes the bundle, prints what changed, and returns the exit code. */
export async function runBundle(): Promise<number> {
  const { changes } = await writeBundle();
  for (const { file, status } of changes) printLine(`${status.padEnd(9)} generated/${file}`);
  return 0;
}

/** The bundle as JSON and as YAML, both with a notice at their root (`x-generated`), if there is one. */
export function bundleFiles(document: OpenApiDocument, notice?: string): Files {
  const { openapi, info, ...rest } = document;
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
    const hint = "A $ref works where OpenAPI or JSON Schema has one, and in the x- tables of the root.";
    throw new UserError(
      `${displayPath(source)}: unresolved $ref "${text}" at ${pointerOf(path.slice(0, -1))}`,
      { hint },
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
    return row === undefined ? text : String(limitOf(document, name, row));
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
