import { access } from "node:fs/promises";
import { type FileChange, writeChanges } from "../lib/files.ts";
import { UserError } from "../lib/user-error.ts";
import { componentFolders, type Reached, readExtensions } from "./bundle/extensions.ts";
import { bundleFiles } from "./bundle/files.ts";
import { redoclyBundle } from "./bundle/merge.ts";
import { withNumbers } from "./bundle/numbers.ts";
import { expandSelectors } from "./bundle/selectors.ts";
import { verifyBundle } from "./bundle/verify.ts";
import { displayPath } from "./display-path.ts";
import type { OpenApiDocument } from "./document/types.ts";
import { isNode } from "./document/values.ts";
import { generatedFolder, rootDocument } from "./paths.ts";

/**
 * Puts the split document together: one value in which every `$ref` is a pointer to a component of the same value.
 * The order of its keys depends on the sources alone. Nothing is written.
 *
 * @param source the root file of the document, absolute
 * @throws Failure with file, line and column for YAML that cannot be read, a `$ref` to nothing and a missing file
 */
export async function bundle(source: string = rootDocument): Promise<OpenApiDocument> {
  await access(source).catch(() => {
    throw new UserError(`there is no document ${displayPath(source)}`, { hint: "Put the root file back." });
  });
  const made = await redoclyBundle(source);
  if (!isNode(made)) throw new UserError(`${displayPath(source)} is not an OpenAPI document`);
  const { values, reached } = await readExtensions(source);
  const document = await expandSelectors(ordered({ ...made, ...values }, reached), source);
  await verifyBundle(document, source);
  return withNumbers(document as unknown as OpenApiDocument);
}

/**
 * Bundles the document and writes it as JSON and YAML, both or neither.
 *
 * @param folder where to: `openapi.json` and `openapi.yaml` in it, `generated/` unless told otherwise
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
const componentOrder = ["securitySchemes", ...componentFolders];

/** The same document in one order: the root as OpenAPI tells it, then the tables; components by name. */
function ordered(made: Record<string, unknown>, reached: Reached): Record<string, unknown> {
  const kinds = isNode(made.components) ? made.components : {};
  const components: Record<string, Record<string, unknown>> = {};
  for (const kind of [...componentOrder, ...Object.keys(kinds).sort()]) {
    const extra = [...reached].filter(([key]) => key.startsWith(`${kind}/`));
    const named = extra.map(([key, value]) => [key.slice(kind.length + 1), value]);
    const all = { ...Object.fromEntries(named), ...(kinds[kind] ?? {}) };
    if (Object.keys(all).length > 0) components[kind] ??= byName(all);
  }
  const rest = Object.keys(made).filter((key) => !rootOrder.includes(key));
  const order = [...rootOrder.filter((key) => key in made || key === "components"), ...rest];
  return Object.fromEntries(order.map((key) => [key, key === "components" ? components : made[key]]));
}

function byName(values: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(values).sort((one, other) => (one < other ? -1 : 1));
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}

/** The `bundle` verb: writes the bundle, says so, and returns the exit status. */
export async function runBundle(): Promise<number> {
  const { changes } = await writeBundle();
  for (const { file, status } of changes) console.log(`${status.padEnd(9)} generated/${file}`);
  return 0;
}
