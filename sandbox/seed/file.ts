import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { type Document, isNode, LineCounter, parseAllDocuments } from "yaml";
import { Mistake } from "../mistake.ts";

/** A seed's file: what stands in it, and where each value of it stands. */
export interface SeedFile {
  /** The path as it was given, or from here where that is shorter. */
  name: string;
  value: unknown;
  /** The line and column, counted from 1, of the value at a path; of the nearest one around it where it is not there. */
  place(path: (string | number)[]): { line: number; column: number };
}

/** More than any seed written by hand. */
const largest = 16 * 1024 * 1024;

/**
 * Reads a seed from a file. JSON is read as YAML, which it is a part of.
 *
 * @throws Mistake for a file that cannot be read or is not YAML, with the line
 */
export function readSeedFile(path: string): SeedFile {
  const name = relative(process.cwd(), path).startsWith("..") ? path : relative(process.cwd(), path);
  const text = readText(path, name);
  const lines = new LineCounter();
  const [document, second] = parseAllDocuments(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: true,
  });
  if (document === undefined)
    throw new Mistake(`${name} is empty`, "Describe at least one account: see sandbox/seed/demo.json.");
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, column } = at(error.pos[0]);
    throw new Mistake(
      `${name}:${line}:${column}: this is not YAML or JSON: ${error.message}`,
      "Put the line right.",
    );
  }
  if (second !== undefined)
    throw new Mistake(`${name} holds several documents`, "Keep the part before the first `---`.");
  return { name, value: contentOf(document, name), place: (path) => at(offsetOf(document, path)) };
}

function readText(path: string, name: string): string {
  try {
    const bytes = readFileSync(path);
    if (bytes.length > largest)
      throw new Mistake(`${name} is larger than 16 MB`, "Leave contacts out and add them by calls.");
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof Mistake) throw error;
    const reason = error instanceof TypeError ? "it is not text in UTF-8" : (error as Error).message;
    throw new Mistake(
      `The seed ${name} cannot be read: ${reason}`,
      "Give --seed the path of a YAML or JSON file.",
      {
        cause: error,
      },
    );
  }
}

function contentOf(document: Document, name: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new Mistake(`${name}: ${(error as Error).message}`, "Write the repeated parts out.", {
      cause: error,
    });
  }
}

function offsetOf(document: Document, path: (string | number)[]): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}
