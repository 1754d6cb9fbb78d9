import { pointerOf } from "./json-pointer.ts";
import { type Node, oncePerDocument, type Path } from "./values.ts";

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
