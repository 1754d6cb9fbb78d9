import { type Document, isCollection, isMap, isNode, LineCounter, parseAllDocuments } from "yaml";
import { type UserError, usageError } from "./user-error.ts";

/** The property names and array indexes that lead to a value. */
export type Path = readonly (string | number)[];

/** Line and column, both counted from 1. */
export interface Position {
  line: number;
  column: number;
}

/** A parsed YAML or JSON text, with the position of every value. */
export interface YamlSource {
  /** The file as messages name it. */
  name: string;
  /** The content as plain data; `undefined` if the text is empty or has only comments. */
  value: unknown;
  document: Document | undefined;
  /** The position of the value at the path, or of its nearest existing ancestor; that of the name of a property with others in it. */
  positionOf(path: Path): Position;
  /** The position of an offset into the text, in UTF-16 code units. */
  positionAt(offset: number): Position;
}

export interface YamlOptions {
  /** What to do about a problem; the hint of every error. */
  hint?: string;
  /** Leaves out of error messages whatever could quote the content, which may be a secret. */
  hideContent?: boolean;
}

/**
 * Parses one YAML document. JSON is parsed as YAML, of which it is a subset.
 * @param name the file as messages name it
 * @throws UserError with exit code 2 and `name:line:column` if the text is not one valid document
 */
export function parseYaml(text: string, name: string, options: YamlOptions = {}): YamlSource {
  const { hint = "Fix that line.", hideContent = false } = options;
  const lines = new LineCounter();
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const errorAt = (where: string, what: string): UserError => usageError(`${where}: ${what}`, hint);
  const [document, second] = parseAllDocuments(text, {
    lineCounter: lines,
    merge: true,
    prettyErrors: false,
    uniqueKeys: true,
    // Warnings quote the content.
    logLevel: "error",
  });
  if (document?.errors[0] !== undefined) {
    const [error] = document.errors;
    const { line, column } = positionAt(error.pos[0]);
    const reason = hideContent ? error.code.toLowerCase().replaceAll("_", " ") : error.message;
    throw errorAt(`${name}:${line}:${column}`, `invalid YAML or JSON: ${reason}`);
  }
  if (second !== undefined) throw errorAt(name, "must contain one document (found a second one after `---`)");
  try {
    const value: unknown = document?.toJS({ maxAliasCount: 100 });
    return { name, document, value, positionOf: (path) => positionAt(offsetOf(document, path)), positionAt };
  } catch (error) {
    throw errorAt(name, hideContent ? "has unresolvable aliases" : (error as Error).message);
  }
}

function offsetOf(document: Document | undefined, path: Path): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document?.contents : document?.getIn(path.slice(0, length), true);
    if (!isNode(node) || !node.range) continue;
    const around = length === 0 ? undefined : document?.getIn(path.slice(0, length - 1), true);
    const pairs = isMap(around) && isCollection(node) ? around.items : [];
    const key = pairs.find(({ value }) => value === node)?.key;
    return isNode(key) && key.range ? key.range[0] : node.range[0];
  }
  return 0;
}
