import type { OpenApiDocument, RequirementRow, UnspecifiedRow } from "../document/types.ts";
import type { Check } from "./checks.ts";
import { namings } from "./namings.ts";

const kinds = new Set(["shape", "semantics", "timing", "client", "unobservable"]);
const idForm = /^[A-Z]+-[1-9][0-9]*$/;
const prefixOf = (id: string): string => id.slice(0, id.lastIndexOf("-"));

/**
 * What is wrong with the requirements of a bundled document and its open places, one sentence each; nothing when all
 * is well. A row that nothing keeps is as wrong as one that is not written out. That whatever refers to a row refers
 * to one that exists, and that open places stay open, is for the lint.
 */
export function requirementFaults(document: OpenApiDocument, checks: Check[]): string[] {
  const requirements = Object.values(document["x-requirements"]).flat();
  return [
    ...idFaults(document),
    ...[...requirements, ...document["x-unspecified"]].flatMap(rowFaults),
    ...requirements.flatMap(kindFaults),
    ...coverageFaults(document, requirements, checks),
  ];
}

/** Ids are permanent: of one form, used once, and told apart by the prefix of their topic. */
function idFaults(document: OpenApiDocument): string[] {
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

function rowFaults({ id, text, source }: RequirementRow | UnspecifiedRow): string[] {
  return [
    ...(text?.trim().endsWith(".") ? [] : [`${id} has no text that is a sentence.`]),
    ...(source?.trim() ? [] : [`${id} does not name the heading it comes from.`]),
  ];
}

function kindFaults({ id, kind, excluded }: RequirementRow): string[] {
  return [
    ...(kinds.has(kind) ? [] : [`${id} is of the unknown kind ${kind}.`]),
    ...(excluded?.trim() === "" ? [`${id} is excluded without a reason.`] : []),
    ...(kind === "unobservable" && excluded === undefined ? [`${id} is unobservable but not excluded.`] : []),
  ];
}

function coverageFaults(document: OpenApiDocument, rows: RequirementRow[], checks: Check[]): string[] {
  const kept = new Set([...namings(document, "x-encodes").keys(), ...checks.flatMap(({ ids }) => ids)]);
  const leftOpen = namings(document, "x-leaves-unspecified");
  return [
    ...rows
      .filter(({ id, excluded }) => !kept.has(id) && !excluded?.trim())
      .map(({ id }) => `${id} is neither encoded, nor checked, nor excluded with a reason.`),
    ...document["x-unspecified"]
      .filter(({ id }) => !leftOpen.has(id))
      .map(({ id }) => `${id} is left open by no node.`),
  ];
}

const repeated = (values: string[]): string[] => [
  ...new Set(values.filter((value, index) => values.indexOf(value) !== index)),
];
