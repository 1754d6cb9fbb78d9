import { existsSync, readFileSync, statSync } from "node:fs";
import { extname, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { type Document, isNode, LineCounter, parseAllDocuments } from "yaml";
import { UserError } from "../../../lib/user-error.ts";

/** The names and positions that lead to a value. */
export type Path = readonly (string | number)[];

/** What a file says, and where each value of it stands. */
export interface Source {
  /** The path as messages show it: from the working directory where it lies in it. */
  name: string;
  value: unknown;
  isModule: boolean;
  /** Where the value at a path stands, `name:line:column`; of the nearest one around it where it is not there. A module has no lines. */
  place(path: Path): string;
}

const modules = [".ts", ".mts", ".js", ".mjs"];
const texts = [".yaml", ".yml", ".json"];
/** More than anything written by hand. */
const largest = 4 * 1024 * 1024;

/**
 * Reads a file in YAML or JSON, or the default export of a module. No message shows what stands in it: it may hold a key by mistake.
 *
 * @param path absolute
 * @throws Failure with exit status 2 for a file that cannot be read, with the line where it is not YAML or JSON
 */
export async function readSource(path: string): Promise<Source> {
  const name = relative(process.cwd(), path).startsWith("..") ? path : relative(process.cwd(), path) || ".";
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
    throw wrong(`${name} is a folder.`, "Give the configuration in it, such as contract.config.yaml.");
  const extension = extname(path).toLowerCase();
  if (modules.includes(extension)) return readModule(path, name);
  if (texts.includes(extension)) return readTree(path, name);
  throw wrong(`${name} has none of the endings ${[...texts, ...modules].join(" ")}.`, "Rename the file.");
}

const wrong = (message: string, hint: string): UserError => new UserError(message, { hint, exitCode: 2 });

/** JSON is read as YAML, which it is a part of. */
function readTree(path: string, name: string): Source {
  const lines = new LineCounter();
  const [document, second] = parseAllDocuments(readText(path, name), {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: true,
    // Warnings quote what stands in the file.
    logLevel: "error",
  });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${Math.max(line, 1)}:${Math.max(col, 1)}`;
  };
  // With nothing but comments it says nothing, as a file that begins.
  if (document === undefined) return { name, isModule: false, value: null, place: () => name };
  const [error] = document.errors;
  if (error !== undefined) {
    const what = error.code.toLowerCase().replaceAll("_", " ");
    throw wrong(`${at(error.pos[0])}: this is not YAML or JSON: ${what}.`, "Put the line right.");
  }
  if (second !== undefined)
    throw wrong(`${name} holds several documents.`, "Keep the part before the first `---`.");
  return {
    name,
    isModule: false,
    value: contentOf(document, name),
    place: (to) => at(offsetOf(document, to)),
  };
}

function readText(path: string, name: string): string {
  try {
    const bytes = readFileSync(path);
    if (bytes.length > largest) throw new Error("it is larger than 4 MB");
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reasons: Record<string, string> = {
      ENOENT: "there is no such file",
      EACCES: "its permissions do not allow it",
      ERR_ENCODING_INVALID_ENCODED_DATA: "it is not text in UTF-8",
    };
    const reason = reasons[code ?? ""] ?? (error as Error).message;
    throw wrong(
      `${name} cannot be read: ${reason}.`,
      "Give the path of a file in YAML or JSON, or a module.",
    );
  }
}

function contentOf(document: Document, name: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    throw wrong(`${name} has aliases that cannot be followed.`, "Write the repeated parts out.");
  }
}

function offsetOf(document: Document, path: Path): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

async function readModule(path: string, name: string): Promise<Source> {
  const { default: value } = await imported(path, name);
  if (typeof value !== "object" || value === null)
    throw wrong(
      `${name} has no object as its default export.`,
      "Write `export default defineContract({ ... })`.",
    );
  return { name, isModule: true, value, place: () => name };
}

async function imported(path: string, name: string): Promise<{ default?: unknown }> {
  if (!existsSync(path))
    throw wrong(`${name} cannot be read: there is no such file.`, "Give the path of a configuration.");
  try {
    return (await import(pathToFileURL(path).href)) as { default?: unknown };
  } catch (error) {
    const { name: kind = "Error", code, stack = "", message } = error as NodeJS.ErrnoException;
    const place = new RegExp(`${escaped(path)}:(\\d+(?::\\d+)?)`).exec(stack)?.[1];
    // What other errors quote may be a key, such as one that lacks its quotes.
    const says = code === "ERR_MODULE_NOT_FOUND" ? `: ${message.split("\n")[0] ?? ""}` : "";
    throw wrong(
      `${name}${place === undefined ? "" : `:${place}`} cannot be loaded: ${kind}${says}`,
      isReadAsScript(path, error)
        ? `The nearest package.json has "type": "commonjs": name the file ${withoutExtension(name)}.m${extname(name).slice(1)}, or set "type": "module".`
        : `Put the module right; \`node ${name}\` shows the whole error.`,
    );
  }
}

/** Whether a module failed because Node took it for CommonJS, which a package.json can ask for: its `import` and `export` mean nothing then. */
const isReadAsScript = (path: string, error: unknown): boolean =>
  [".ts", ".js"].includes(extname(path).toLowerCase()) &&
  error instanceof SyntaxError &&
  /import statement outside a module|Unexpected token 'export'/.test(error.message);

const withoutExtension = (name: string): string => name.slice(0, -extname(name).length);

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
