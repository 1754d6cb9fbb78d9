import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CodeKeywordDefinition } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { _ } from "ajv/dist/compile/codegen/index.js";
import standaloneCode from "ajv/dist/standalone/index.js";
import { build, type Plugin } from "esbuild";
import { UserError } from "../../../lib/user-error.ts";
import { root } from "../../common/paths.ts";
import { referencesIn } from "../../document/references.ts";
import { maximums, withTypeList } from "../../document/schema-forms.ts";
import { mapSchema } from "../../document/schemas.ts";
import type { OpenApiDocument, Schema } from "../../document/types.ts";
import { formats } from "./runtime.ts";

/**
 * A self-contained JavaScript module with the validators.
 * @param schemas the named schemas, which refer to each other by name
 * @param code the code of the module, which imports the validators of `schemas` by name from "contract:checks"
 * @throws UserError with the name of the schema if ajv rejects it; in strict mode, also for unknown formats and for keywords
 *   that do not match the type
 */
export async function compiled(schemas: Record<string, Schema>, code: string): Promise<string> {
  const result = await build({
    stdin: { contents: code, resolveDir: root, sourcefile: "validators.js" },
    plugins: [supply(checksOf(schemas))],
    alias: { "contract:runtime": "./scripts/generate/validators/runtime.ts" },
    absWorkingDir: root,
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    target: "es2023",
    charset: "utf8",
    legalComments: "none",
    logLevel: "silent",
  });
  return result.outputFiles[0]?.text ?? "";
}

/**
 * The text of `<kind>.types.ts` for `generated/validators/`.
 * @param unions the members of types that only generation knows, by name
 */
export async function declarations(kind: Kind, unions: Record<string, string[]>): Promise<string> {
  let text = await readFile(join(import.meta.dirname, `${kind}.types.ts`), "utf8");
  for (const [type, members] of Object.entries(unions))
    text = text.replace(new RegExp(`(?<=^type ${type} = )[^;]*`, "m"), `"${members.join('" | "')}"`);
  return text
    .replace(/^\/\/ .*\n/, "")
    .replace("../../../generated/types.ts", "../types.ts")
    .replace("./requests.types.ts", "./requests.js");
}

function checksOf(schemas: Record<string, Schema>): string {
  const ajv = new Ajv2020({
    strict: true,
    // A variant may exclude a property that it does not define itself.
    strictRequired: false,
    // A property may be a string or null; keywords for strings apply to strings only.
    allowUnionTypes: true,
    allErrors: true,
    inlineRefs: false,
    formats,
    code: { source: true, esm: true, lines: true, formats: _`formats` },
  });
  countLongTextsOnly(ajv);
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema({ ...schema, $id: name });
  for (const name of Object.keys(schemas))
    try {
      ajv.getSchema(name);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new UserError(`${name}: the schema cannot be compiled: ${reason}`, { cause });
    }
  const names = Object.fromEntries(Object.keys(schemas).map((name) => [name, name]));
  return `import { formats } from "contract:runtime";\n${standaloneCode.default(ajv, names)}`;
}

/** Lets `maxLength` count the characters of a text only if it has more UTF-16 code units: counting tens of megabytes takes long. */
function countLongTextsOnly(ajv: Ajv2020): void {
  const counting = ajv.getKeyword("maxLength") as CodeKeywordDefinition;
  ajv.removeKeyword("maxLength").addKeyword({
    ...counting,
    keyword: "maxLength",
    before: "minLength",
    code: (context) =>
      context.gen.if(_`${context.data}.length > ${context.schema}`, () => counting.code(context)),
  });
}

/** The module "contract:checks" in memory. */
const supply = (contents: string): Plugin => ({
  name: "supply",
  setup(bundler) {
    bundler.onResolve({ filter: /^contract:checks$/ }, ({ path }) => ({ path, namespace: "supply" }));
    bundler.onLoad({ filter: /.*/, namespace: "supply" }, () => ({ contents, resolveDir: root }));
  },
});

const annotations = "title description default examples example deprecated readOnly writeOnly".split(" ");

/** Upper bounds marked `x-technical-limit` count in requests only: they are bounds of the document, not of the service. */
export type Kind = "requests" | "responses";

/**
 * The schema as a validator needs it: without annotations, with base64 and UTC as formats, with `$ref`s by name. A choice between
 * single types becomes a list of types, which has one error instead of one for each type.
 */
export const prepared = (schema: Schema, kind: Kind): Schema =>
  mapSchema(schema, (given) => {
    const inner = withTypeList(given);
    const unbounded = kind === "requests" || inner["x-technical-limit"] !== true ? [] : maximums;
    const dropped = [...annotations, ...unbounded];
    const kept = Object.entries(inner).filter(([key]) => !key.startsWith("x-") && !dropped.includes(key));
    const { contentEncoding, $ref, ...rest } = Object.fromEntries(kept) as Schema;
    return {
      ...rest,
      ...($ref === undefined ? {} : { $ref: referenceById($ref) }),
      ...(contentEncoding === undefined ? {} : { format: String(contentEncoding) }),
      ...(inner["x-utc-offset"] === "zero" ? { format: "date-time-in-utc" } : {}),
    };
  });

/** `#/components/schemas/Note/properties/id` as `Note#/properties/id`: every schema is known by its name. */
function referenceById(reference: string): string {
  const [, name = "", path = ""] = /^#\/components\/schemas\/([^/]+)(.*)$/.exec(reference) ?? [];
  return path === "" ? name : `${name}#${path}`;
}

/** The component schemas that the given ones refer to, directly or indirectly: ready to compile, sorted by name. */
export function reachedFrom(document: OpenApiDocument, starts: readonly Schema[], kind: Kind) {
  const all = document.components.schemas ?? {};
  // The component of "#/components/schemas/Note/properties/id" is the fourth segment.
  const names = new Set([...referencesIn(document, starts)].map(($ref) => $ref.split("/")[3] ?? ""));
  return Object.fromEntries([...names].sort().map((name) => [name, prepared(all[name] as Schema, kind)]));
}
