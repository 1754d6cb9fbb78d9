/**
 * Reading a document that may be broken: every function takes whatever stands at a place and responses with
 * something that can be worked on, so that a rule never throws on the defects it is there to report.
 */

/** An object of the document: a mapping of YAML. */
export type Node = Record<string, unknown>;

/** The way from the root of the document to a place. */
export type Path = (string | number)[];

/** A value together with the place where it really stands (after any `$ref` was followed). */
export interface Located {
  path: Path;
  value: Node;
}

/** Whether the value is an object (no list, no null). */
export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value where it is an object, else an empty one. */
export const nodeOf = (value: unknown): Node => (isNode(value) ? value : {});

/** The value where it is a list, else an empty one. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The strings of a list; a string alone counts as a list of one. */
export const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((entry) => typeof entry === "string");

/** The value where it is a string, else the empty string. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The entries of an object whose values are objects. */
export const entriesOf = (value: unknown): [string, Node][] =>
  Object.entries(nodeOf(value)).filter((entry): entry is [string, Node] => isNode(entry[1]));

/** The objects of a list, each with its index. */
export const rowsOf = (value: unknown): [number, Node][] =>
  [...listOf(value).entries()].filter((entry): entry is [number, Node] => isNode(entry[1]));

/** Computes once for each document what several rules need of it. */
export const oncePerDocument = <Result>(
  compute: (document: Node) => Result,
): ((document: Node) => Result) => {
  const results = new WeakMap<Node, Result>();
  return (document) => {
    const known = results.get(document);
    if (known !== undefined) return known;
    const result = compute(document);
    results.set(document, result);
    return result;
  };
};
