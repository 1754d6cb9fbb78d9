import { nodeOf, oncePerDocument, rowsOf, textOf } from "./values.ts";

/** The text of every requirement, by its id. */
export const requirementTexts = oncePerDocument(
  (document): Map<string, string> =>
    new Map(
      Object.values(nodeOf(document["x-requirements"]))
        .flatMap(rowsOf)
        .map(([, row]) => [textOf(row.id), textOf(row.text)]),
    ),
);
