import { markedAt } from "../document/requirements.ts";
import type { OpenApiDocument, RequirementRow, UnspecifiedRow } from "../document/types.ts";

const kinds = new Set(["shape", "semantics", "timing", "client", "unobservable"]);
const idForm = /^[A-Z]+-[1-9][0-9]*$/;
const prefixOf = (id: string): string => id.slice(0, id.lastIndexOf("-"));

/**
 * The problems of the requirements and the unspecified items of a bundle, one sentence each. The lint checks that
 * references to them are known and that unspecified paths are absent.
 */
export function requirementProblems(document: OpenApiDocument): string[] {
  const requirements = Object.values(document["x-requirements"]).flat();
  return [
    ...idProblems(document),
    ...[...requirements, ...document["x-unspecified"]].flatMap(rowProblems),
    ...requirements.flatMap(kindProblems),
    ...encodingProblems(document, requirements),
    ...unspecifiedProblems(document),
  ];
}

/** Ids are permanent: they have one form, are unique, and have the prefix of their topic. */
function idProblems(document: OpenApiDocument): string[] {
  const topics = { ...document["x-requirements"], unspecified: document["x-unspecified"] };
  const ids = Object.values(topics).flatMap((rows) => rows.map(({ id }) => id));
  const prefixes = Object.entries(topics).flatMap(([topic, rows]) =>
    [...new Set(rows.map(({ id }) => prefixOf(id)))].map((prefix) => ({ topic, prefix })),
  );
  return [
    ...ids.filter((id) => !idForm.test(id)).map((id) => `${id} is not of the form TOPIC-1.`),
    ...repeated(ids).map((id) => `${id} is the id of more than one row.`),
    ...repeated(prefixes.map(({ topic }) => topic)).map((topic) => `${topic} has ids of several prefixes.`),
    ...repeated(prefixes.map(({ prefix }) => prefix)).map(
      (prefix) => `Several topics have ids in ${prefix}.`,
    ),
  ];
}

function rowProblems({ id, text, source }: RequirementRow | UnspecifiedRow): string[] {
  return [
    ...(text?.trim().endsWith(".") ? [] : [`${id} needs a text that ends with a full stop.`]),
    ...(source?.trim() ? [] : [`${id} needs a source: the heading of the service description.`]),
  ];
}

function kindProblems({ id, kind, excluded }: RequirementRow): string[] {
  return [
    ...(kinds.has(kind) ? [] : [`${id} has the unknown kind ${kind}.`]),
    ...(excluded?.trim() === "" ? [`${id} is excluded without a reason.`] : []),
    ...(kind === "unobservable" && excluded === undefined ? [`${id} is unobservable but not excluded.`] : []),
  ];
}

function encodingProblems(document: OpenApiDocument, requirements: RequirementRow[]): string[] {
  const encoded = markedAt({ ...document }, "x-encodes");
  return requirements
    .filter(({ id }) => !encoded.has(id))
    .map(({ id }) => `${id} is not encoded: say it at a node, and add x-encodes with its id there.`);
}

function unspecifiedProblems(document: OpenApiDocument): string[] {
  const marked = markedAt({ ...document }, "x-leaves-unspecified");
  return document["x-unspecified"]
    .filter(({ id }) => !marked.has(id))
    .map(({ id }) => `${id} is unspecified, and no x-leaves-unspecified names it.`);
}

const repeated = (values: string[]): string[] => [
  ...new Set(values.filter((value, index) => values.indexOf(value) !== index)),
];
