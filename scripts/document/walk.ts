import { type Node, oncePerDocument, type Path } from "./values.ts";

/** Every string of the document and where it stands, names of fields excluded. */
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

/** The ids that nodes carry in an extension such as `x-encodes`, each with its place. */
export const marks = (document: Node, extension: string): { path: Path; id: string }[] =>
  everyText(document)
    .filter(({ path }) => path.at(-1) === extension || path.at(-2) === extension)
    .map(({ path, text }) => ({ path, id: text }));
