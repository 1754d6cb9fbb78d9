import { pathOf, pointerOf, valueAt } from "./json-pointer.ts";
import { follow } from "./references.ts";
import type { OpenApiDocument } from "./types.ts";
import {
  everyText,
  listOf,
  type Node,
  nodeOf,
  oncePerDocument,
  type Path,
  rowsOf,
  textOf,
  textsOf,
} from "./values.ts";

/** The ids in an extension such as `x-encodes`, each with its path. */
export const marks = (document: Node, extension: string): { path: Path; id: string }[] =>
  everyText(document)
    .filter(({ path }) => path.at(-1) === extension || path.at(-2) === extension)
    .map(({ path, text }) => ({ path, id: text }));

/** The JSON Pointers of the nodes that have each id in a list such as `x-encodes`, by id, in document order. */
export const markedAt = (document: Node, extension: string): Map<string, string[]> => {
  const listed = marks(document, extension).filter(({ path }) => path.at(-2) === extension);
  return new Map(
    [...Map.groupBy(listed, ({ id }) => id)].map(([id, found]) => [
      id,
      found.map(({ path }) => pointerOf(path.slice(0, -2))),
    ]),
  );
};

/** The rows of a table that is a list, each with its path. */
export const listedRows = (document: Node, table: Path) =>
  rowsOf(valueAt(document, table)).map(([index, row]) => ({ path: [...table, index], row }));

export const requirementRows = oncePerDocument((document) =>
  Object.keys(nodeOf(document["x-requirements"])).flatMap((topic) =>
    listedRows(document, ["x-requirements", topic]),
  ),
);

/** The rows of the requirements, each with its topic, the name of its file. */
export const requirementsOf = (document: OpenApiDocument) =>
  Object.entries(document["x-requirements"]).flatMap(([topic, rows]) =>
    rows.map(({ id, ...row }) => ({ id, topic, ...row })),
  );

export const unspecifiedPlaces = oncePerDocument((document) =>
  listedRows(document, ["x-unspecified"]).map(({ path, row }) => ({
    id: textOf(row.id),
    path,
    text: textOf(row.text),
    /** Paths at which there must be no value; `*` is any segment. */
    absent: textsOf(listOf(row.absent)).map(pathOf),
  })),
);

const matches = (pattern: string[], path: Path): boolean =>
  pattern.length === path.length &&
  pattern.every((segment, index) => segment === "*" || segment === String(path[index]));

/** Whether the node names (`x-leaves-unspecified`) an item for which the value at the path must be absent. */
export const isLeftUnspecified = (document: Node, node: Node, path: Path): boolean => {
  const named = textsOf(node["x-leaves-unspecified"]);
  return unspecifiedPlaces(document).some(
    ({ id, absent }) => named.includes(id) && absent.some((pattern) => matches(pattern, path)),
  );
};

/** The paths of all existing values that match the pattern; `$ref`s are followed. */
export const existing = (document: Node, pattern: string[]): Path[] => {
  const walk = (value: unknown, [segment, ...rest]: string[], path: Path): Path[] => {
    if (segment === undefined) return [path];
    if (typeof value !== "object" || value === null) return [];
    const here = Object.entries(value)
      .filter(([key]) => segment === "*" || segment === key)
      .flatMap(([key, next]) => walk(next, rest, [...path, Array.isArray(value) ? Number(key) : key]));
    const target = follow(document, path, value);
    return target.path === path ? here : [...here, ...walk(target.value, [segment, ...rest], target.path)];
  };
  return [...new Map(walk(document, pattern, []).map((path) => [pointerOf(path), path])).values()];
};
