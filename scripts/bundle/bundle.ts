import { type FileChange, writeChanges } from "../../lib/files.ts";
import { generatedFolder, rootDocument } from "../common/paths.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { type Node, nodeOf } from "../document/values.ts";
import { bundleFiles } from "./files.ts";
import { withLimits } from "./limits.ts";
import { mergeFiles } from "./merge.ts";
import { expandSelectors } from "./selectors.ts";
import { componentFolders, verifyBundle } from "./verify.ts";

/**
 * Bundles the split document: one value in which every `$ref` points to a component of the same value. The order of
 * keys depends on the sources alone. Writes nothing.
 *
 * @param source the root file of the document, absolute
 * @throws UserError with file, line and column for invalid YAML, an unresolved `$ref` and an unknown operation
 */
export async function bundle(source: string = rootDocument): Promise<OpenApiDocument> {
  const document = await expandSelectors(ordered(await mergeFiles(source)), source);
  verifyBundle(document, source);
  return withLimits(document as unknown as OpenApiDocument);
}

/**
 * Bundles the document and writes it as JSON and YAML, both or neither.
 *
 * @param folder for `openapi.json` and `openapi.yaml`; default: `generated/`
 */
export async function writeBundle(
  options: { source?: string; folder?: string } = {},
): Promise<{ document: OpenApiDocument; changes: FileChange[] }> {
  const document = await bundle(options.source);
  const changes = await writeChanges(options.folder ?? generatedFolder, bundleFiles(document));
  return { document, changes };
}

const rootOrder = [
  "openapi",
  "info",
  "jsonSchemaDialect",
  "servers",
  "security",
  "tags",
  "paths",
  "components",
];
const componentOrder: readonly string[] = ["securitySchemes", ...componentFolders];

/** The document in a fixed order: the root as in the OpenAPI specification, then the tables; components by name. */
function ordered(document: Node): Node {
  const kinds = nodeOf(document.components);
  const components = sorted(
    kinds,
    Object.keys(kinds).sort((one, other) => rank(componentOrder, one) - rank(componentOrder, other)),
  );
  for (const [kind, named] of Object.entries(components))
    components[kind] = sorted(nodeOf(named), Object.keys(nodeOf(named)).sort());
  const names = Object.keys({ ...document, components });
  names.sort((one, other) => rank(rootOrder, one) - rank(rootOrder, other));
  return sorted({ ...document, components }, names);
}

const rank = (order: readonly string[], name: string): number =>
  order.includes(name) ? order.indexOf(name) : order.length;

const sorted = (node: Node, names: string[]): Node =>
  Object.fromEntries(names.map((name) => [name, node[name]]));

/** The `bundle` command: writes the bundle, prints what changed, and returns the exit code. */
export async function runBundle(): Promise<number> {
  const { changes } = await writeBundle();
  for (const { file, status } of changes) console.log(`${status.padEnd(9)} generated/${file}`);
  return 0;
}
