import { readFile } from "node:fs/promises";
import { isScalar, LineCounter, type Node, parseDocument, visit } from "yaml";
import { UserError } from "../../lib/user-error.ts";
import { displayPath } from "../display-path.ts";

/** One YAML file of the document: its value, and where (`file:line:column`) it refers to something. */
export interface Source {
  value: unknown;
  placeOf(reference: string): string;
}

/** Reads one YAML file. Throws a Failure with line and column when it is not YAML. */
export async function readSource(file: string): Promise<Source> {
  const lines = new LineCounter();
  const document = parseDocument(await readFile(file, "utf8"), { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${displayPath(file)}:${line}:${col}`;
  };
  const [error] = document.errors;
  if (error !== undefined)
    throw new UserError(`${at(error.pos[0])}: this is not YAML: ${error.message}`, { hint });

  const places = new Map<string, string>();
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || key.value !== "$ref" || !isScalar(value)) return;
      const reference = String(value.value);
      if (!places.has(reference)) places.set(reference, at((key as Node).range?.[0] ?? 0));
    },
  });
  return { value: document.toJS(), placeOf: (reference) => places.get(reference) ?? displayPath(file) };
}

/** What to do about a fault in a source file. */
export const hint = "Mend that place and run the command again. Nothing was written.";
