import { Ajv2020 } from "ajv/dist/2020.js";
import { _ } from "ajv/dist/compile/codegen/index.js";
import standaloneCode from "ajv/dist/standalone/index.js";
import { build, type Plugin } from "esbuild";
import { UserError } from "../../../lib/user-error.ts";
import type { Schema } from "../../document/types.ts";
import { root } from "../../paths.ts";
import { header } from "../notice.ts";
import { formats } from "./runtime.ts";

/** What a module of validators is made of. */
export interface ValidatorModule {
  /** The named schemas, which refer to each other by name. */
  schemas: Record<string, Schema>;
  /** The code of the module. It imports the validators of `schemas` by name from "contract:checks". */
  code: string;
}

/**
 * One JavaScript module with the validators in it and no import left.
 * Throws a Failure that names the schema when ajv does not take one, which in strict mode includes unknown formats
 * and keywords that do not go with the type.
 */
export async function compiled({ schemas, code }: ValidatorModule): Promise<string> {
  const checks = checksOf(schemas);
  const result = await build({
    stdin: { contents: code, resolveDir: root, sourcefile: "validators.js" },
    plugins: [supply({ "contract:checks": checks })],
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
  return header + (result.outputFiles[0]?.text ?? "");
}

function checksOf(schemas: Record<string, Schema>): string {
  const ajv = new Ajv2020({
    strict: true,
    // "Not together with `path`" names a field that the variant itself does not have.
    strictRequired: false,
    // A field may be a text or null; a rule on one of the types is meant for that type.
    allowUnionTypes: true,
    allErrors: true,
    inlineRefs: false,
    formats,
    code: { source: true, esm: true, lines: true, formats: _`formats` },
  });
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema({ ...schema, $id: name });
  for (const name of Object.keys(schemas)) {
    try {
      ajv.getSchema(name);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new UserError(`${name}: no validator can be made of this schema: ${reason}`, { cause });
    }
  }
  const names = Object.fromEntries(Object.keys(schemas).map((name) => [name, name]));
  return `import { formats } from "contract:runtime";\n${standaloneCode.default(ajv, names)}`;
}

/** Modules that exist in memory only, by their names. */
function supply(modules: Record<string, string>): Plugin {
  return {
    name: "supply",
    setup(bundler) {
      bundler.onResolve({ filter: /^contract:checks$/ }, ({ path }) => ({ path, namespace: "supply" }));
      bundler.onLoad({ filter: /.*/, namespace: "supply" }, ({ path }) => ({
        contents: modules[path] ?? "",
        resolveDir: root,
      }));
    },
  };
}
