import { existsSync, statSync } from "node:fs";
import { extname } from "node:path";
import { pathToFileURL } from "node:url";
import { displayPath, readTextFile } from "../../lib/files.ts";
import { type Problem, rejectProblems } from "../../lib/schema-errors.ts";
import { UserError } from "../../lib/user-error.ts";
import { parseYaml, type YamlSource } from "../../lib/yaml-source.ts";

/** The content of a configuration file. A module has no positions. */
export interface Source extends Pick<YamlSource, "name"> {
  value: unknown;
  isModule: boolean;
  positionOf?: YamlSource["positionOf"];
}

const moduleExtensions = [".ts", ".mts", ".js", ".mjs"];
const dataExtensions = [".yaml", ".yml", ".json"];

/** What a file may be, for the messages. */
interface FileKind {
  /** A name that it could have. */
  example: string;
  isModuleAllowed: boolean;
}

/**
 * Reads a YAML or JSON file, or the default export of a module. No message quotes the content: it may be a key.
 *
 * @param path absolute
 * @throws UserError with exit code 2
 */
export async function readSource(path: string, { example, isModuleAllowed }: FileKind): Promise<Source> {
  const name = displayPath(path);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
    throw invalid(`${name} is a directory`, `Give the path of the file in it, such as ${example}.`);
  const extension = extname(path).toLowerCase();
  if (isModuleAllowed && moduleExtensions.includes(extension)) return readModule(path, name);
  if (!dataExtensions.includes(extension)) {
    const known = [...dataExtensions, ...(isModuleAllowed ? moduleExtensions : [])].join(" ");
    throw invalid(`${name} must have one of the extensions ${known}`, "Rename the file.");
  }
  const hint = `Give the path of a YAML or JSON file${isModuleAllowed ? ", or of a module" : ""}.`;
  const text = readTextFile(path, { maxMegabytes: 4, hint });
  const { value, positionOf } = parseYaml(text, name, { hideContent: true });
  return { name, value, isModule: false, positionOf };
}

/**
 * Rejects a file with problems, without its values.
 * @throws UserError with exit code 2 that lists the problems
 */
export const rejectSource = (problems: readonly Problem[], source: Source | undefined, hint: string): void =>
  rejectProblems(problems, {
    subject: source?.name ?? "the environment",
    hint,
    hideValues: true,
    ...(source?.positionOf && { source: { name: source.name, positionOf: source.positionOf } }),
  });

const invalid = (message: string, hint: string): UserError => new UserError(message, { hint, exitCode: 2 });

async function readModule(path: string, name: string): Promise<Source> {
  if (!existsSync(path))
    throw invalid(`cannot read ${name}: there is no such file`, "Give the path of a configuration.");
  const { default: value } = await importModule(path, name);
  if (typeof value !== "object" || value === null)
    throw invalid(
      `${name} must have an object as its default export`,
      "Write `export default defineContract({ ... })`.",
    );
  return { name, isModule: true, value };
}

async function importModule(path: string, name: string): Promise<{ default?: unknown }> {
  try {
    return (await import(pathToFileURL(path).href)) as { default?: unknown };
  } catch (error) {
    const { name: kind = "Error", code, stack = "", message } = error as NodeJS.ErrnoException;
    const pattern = path.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    const position = new RegExp(`${pattern}:(\\d+(?::\\d+)?)`).exec(stack)?.[1];
    // Other messages may quote a key, such as one without quotes around it.
    const reason = code === "ERR_MODULE_NOT_FOUND" ? `: ${message.split("\n")[0] ?? ""}` : "";
    throw invalid(
      `cannot load ${name}${position === undefined ? "" : `:${position}`}: ${kind}${reason}`,
      isLoadedAsCommonJs(path, error)
        ? `The nearest package.json has "type": "commonjs": name the file ${name.slice(0, -extname(name).length)}.m${extname(name).slice(1)}, or set "type": "module".`
        : `Fix the module; \`node ${name}\` prints the whole error.`,
    );
  }
}

const isLoadedAsCommonJs = (path: string, error: unknown): boolean =>
  [".ts", ".js"].includes(extname(path).toLowerCase()) &&
  error instanceof SyntaxError &&
  /import statement outside a module|Unexpected token 'export'/.test(error.message);
