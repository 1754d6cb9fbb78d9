/**
 * Readers for documents that may be invalid: every function takes any value and returns a usable one, so that a lint
 * rule never throws on the defects that it reports.
 */
import { isObject, isTree, oncePer } from "../../lib/objects.ts";

/** An object of the document: a mapping of YAML. */
export type Node = Record<string, unknown>;

/** The property names and indexes from the root of the document to a value. */
export type Path = (string | number)[];

/** A value with its path, after `$ref`s were followed. */
export interface Located {
  path: Path;
  value: Node;
}

/** Whether the value is an object (no list, no null). */
export const isNode: (value: unknown) => value is Node = isObject;

/** How many levels of objects and lists a document may have: its readers call themselves for each. */
export const deepest = 500;

/** Whether a value has too many levels. One that aliases repeat is looked at once in each. */
export function isTooDeep(value: unknown): boolean {
  let level = new Set([value]);
  for (let depth = 0; depth < deepest && level.size > 0; depth += 1)
    level = new Set([...level].flatMap((one) => (isTree(one) ? Object.values(one) : [])));
  return level.size > 0;
}

/** The value if it is an object, else an empty one. */
export const nodeOf = (value: unknown): Node => (isNode(value) ? value : {});

/** The value if it is a list, else an empty one. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The strings of a list; a string alone counts as a list of one. */
export const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((entry) => typeof entry === "string");

/** The value if it is a string, else an empty one. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The entries of an object whose values are objects. */
export const entriesOf = (value: unknown): [string, Node][] =>
  Object.entries(nodeOf(value)).filter((entry): entry is [string, Node] => isNode(entry[1]));

/** The objects of a list, each with its index. */
export const rowsOf = (value: unknown): [number, Node][] =>
  [...listOf(value).entries()].filter((entry): entry is [number, Node] => isNode(entry[1]));

/** The rows of a table by name (`x-limits`), each with its path. */
export const namedRows =
  (table: string) =>
  (document: Node): { path: Path; name: string; row: Node }[] =>
    entriesOf(document[table]).map(([name, row]) => ({ path: [table, name], name, row }));

/** Caches a result per document. */
export const oncePerDocument = <Result>(compute: (document: Node) => Result) => oncePer(compute);

/** Every string of the document with its path; property names are not included. */
export const everyText = oncePerDocument((document): { path: Path; text: string }[] => {
  const found: { path: Path; text: string }[] = [];
  const walk = (value: unknown, path: Path): void => {
    if (typeof value === "string") found.push({ path, text: value });
    if (typeof value !== "object" || value === null) return;
    for (const [key, part] of Object.entries(value))
      walk(part, [...path, Array.isArray(value) ? Number(key) : key]);
  };
  walk(document, []);
  return found;
});
