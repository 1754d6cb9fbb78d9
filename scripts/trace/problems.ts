import { markedAt } from "../document/requirements.ts";
import type { OpenApiDocument } from "../document/types.ts";

const kinds = new Set(["shape", "semantics", "timing", "client", "unobservable"]);
const prefixOf = (id: string): string => id.slice(0, id.lastIndexOf("-"));
const repeated = (values: string[]): string[] => [
  ...new Set(values.filter((value, index) => values.indexOf(value) !== index)),
];

/**
 * The problems of the requirements and the unspecified items of a bundle, one sentence each. The lint checks that
 * references to them are known and that unspecified paths are absent.
 */
export function requirementProblems(document: OpenApiDocument): string[] {
  const unspecified = document["x-unspecified"];
  const requirements = Object.values(document["x-requirements"]).flat();
  const encoded = markedAt({ ...document }, "x-encodes");
  const marked = markedAt({ ...document }, "x-leaves-unspecified");
  const problems = idProblems({ ...document["x-requirements"], unspecified });
  const unless = (holds: boolean, problem: string): void => {
    if (!holds) problems.push(problem);
  };
  for (const { id, text, source } of [...requirements, ...unspecified]) {
    unless(text?.trim().endsWith(".") === true, `${id} needs a text that ends with a full stop.`);
    unless(Boolean(source?.trim()), `${id} needs a source: the heading of the service description.`);
  }
  for (const { id, kind, excluded } of requirements) {
    unless(kinds.has(kind), `${id} has the unknown kind ${kind}.`);
    unless(excluded?.trim() !== "", `${id} is excluded without a reason.`);
    unless(kind !== "unobservable" || excluded !== undefined, `${id} is unobservable but not excluded.`);
    unless(encoded.has(id), `${id} is not encoded: say it at a node, and add x-encodes with its id there.`);
  }
  for (const { id } of unspecified)
    unless(marked.has(id), `${id} is unspecified, and no x-leaves-unspecified names it.`);
  return problems;
}

/** Ids are permanent: they have one form, are unique, and have the prefix of their topic. */
function idProblems(topics: Record<string, { id: string }[]>): string[] {
  const ids = Object.values(topics).flatMap((rows) => rows.map(({ id }) => id));
  const prefixes = Object.entries(topics).flatMap(([topic, rows]) =>
    [...new Set(rows.map(({ id }) => prefixOf(id)))].map((prefix) => ({ topic, prefix })),
  );
  return [
    ...ids.filter((id) => !/^[A-Z]+-[1-9][0-9]*$/.test(id)).map((id) => `${id} is not of the form TOPIC-1.`),
    ...repeated(ids).map((id) => `${id} is the id of more than one row.`),
    ...repeated(prefixes.map(({ topic }) => topic)).map((topic) => `${topic} has ids of several prefixes.`),
    ...repeated(prefixes.map(({ prefix }) => prefix)).map(
      (prefix) => `Several topics have ids in ${prefix}.`,
    ),
  ];
}
