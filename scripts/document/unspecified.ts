import { pathOf, pointerOf } from "./json-pointer.ts";
import { follow } from "./references.ts";
import { listOf, type Node, oncePerDocument, type Path, rowsOf, textOf, textsOf } from "./values.ts";

/** A row of the unspecified items. */
export interface UnspecifiedPlace {
  id: string;
  text: string;
  path: Path;
  /** Paths at which there must be no value; `*` is any segment. */
  absent: string[][];
}

/** Every row of the unspecified items. */
export const unspecifiedPlaces = oncePerDocument((document): UnspecifiedPlace[] =>
  rowsOf(document["x-unspecified"]).map(([index, row]) => ({
    id: textOf(row.id),
    path: ["x-unspecified", index],
    text: textOf(row.text),
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
  const found = walk(document, pattern, []);
  return [...new Map(found.map((path) => [pointerOf(path), path])).values()];
};
