import { markedAt } from "../document/requirements.ts";
import type { OpenApiDocument } from "../document/types.ts";

const repeated = (values: string[]): string[] => [
  ...new Set(values.filter((value, index) => values.indexOf(value) !== index)),
];

/**
 * The problems of the requirements and the unspecified items of a bundle, one sentence each. The lint checks their rows,
 * that references to them are known and that unspecified paths are absent.
 */
export function requirementProblems(document: OpenApiDocument): string[] {
  const unspecified = document["x-unspecified"];
  const requirements = Object.values(document["x-requirements"]).flat();
  const encoded = markedAt({ ...document }, "x-encodes");
  const marked = markedAt({ ...document }, "x-leaves-unspecified");
  return [
    ...idProblems({ ...document["x-requirements"], unspecified }),
    ...requirements
      .filter(({ id }) => !encoded.has(id))
      .map(({ id }) => `${id} is not encoded: say it at a node, and add x-encodes with its id there.`),
    ...unspecified
      .filter(({ id }) => !marked.has(id))
      .map(({ id }) => `${id} is unspecified, and no x-leaves-unspecified names it.`),
  ];
}

/** Ids are permanent: they have the prefix of their topic. */
function idProblems(topics: Record<string, { id: string }[]>): string[] {
  const prefixes = Object.entries(topics).flatMap(([topic, rows]) =>
    [...new Set(rows.map(({ id }) => id.slice(0, id.lastIndexOf("-"))))].map((prefix) => ({ topic, prefix })),
  );
  return [
    ...repeated(prefixes.map(({ topic }) => topic)).map((topic) => `${topic} has ids of several prefixes.`),
    ...repeated(prefixes.map(({ prefix }) => prefix)).map(
      (prefix) => `Several topics have ids in ${prefix}.`,
    ),
  ];
}
