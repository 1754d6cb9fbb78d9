import type { OpenApiDocument, RequirementRow, UnspecifiedRow } from "../document.ts";
import type { Check } from "./checks.ts";
import { exists, namings } from "./pointers.ts";

const kinds = new Set(["shape", "semantics", "timing", "client", "unobservable"]);
const idForm = /^[A-Z]+-[1-9][0-9]*$/;
const prefixOf = (id: string): string => id.slice(0, id.lastIndexOf("-"));

/**
 * What is wrong with the requirements of a bundled document, its open places and the references to both, one
 * sentence each; nothing when all is well. An id that nothing refers to is as wrong as one that nobody wrote.
 */
export function requirementFaults(document: OpenApiDocument, checks: Check[]): string[] {
  const requirements = Object.values(document["x-requirements"]).flat();
  const open = document["x-unspecified"];
  return [
    ...idFaults(document),
    ...[...requirements, ...open].flatMap((row) => rowFaults(row, operationIds(document))),
    ...requirements.flatMap(kindFaults),
    ...coverageFaults(document, requirements, checks),
    ...referenceFaults(document, requirements, open, checks),
    ...open.flatMap((row) => valueFaults(document, row)),
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

function rowFaults(row: RequirementRow | UnspecifiedRow, known: Set<string>): string[] {
  const { id, text, source, operations } = row;
  return [
    ...(text?.trim().endsWith(".") ? [] : [`${id} has no text that is a sentence.`]),
    ...(source?.trim() ? [] : [`${id} does not name the heading it comes from.`]),
    ...operations.filter((name) => !known.has(name)).map((name) => `${id} names ${name}, no operation.`),
    ...repeated(operations).map((name) => `${id} names the operation ${name} more than once.`),
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
  return rows
    .filter(({ id, excluded }) => !kept.has(id) && !excluded?.trim())
    .map(({ id }) => `${id} is neither encoded, nor checked, nor excluded with a reason.`);
}

function referenceFaults(
  document: OpenApiDocument,
  requirements: RequirementRow[],
  open: UnspecifiedRow[],
  checks: Check[],
): string[] {
  const requirementIds = new Set(requirements.map(({ id }) => id));
  const openIds = new Set(open.map(({ id }) => id));
  const encoded = namings(document, "x-encodes");
  const leftOpen = namings(document, "x-leaves-open");
  return [
    ...unknown(encoded, requirementIds).map(([id, at]) => `${at} encodes ${id}, which is no requirement.`),
    ...unknown(leftOpen, openIds).map(([id, at]) => `${at} leaves ${id} open, which is no open place.`),
    ...checks.flatMap(({ ids, file }) =>
      ids
        .filter((id) => !requirementIds.has(id))
        .map((id) => `A check in ${file} verifies ${id}, which is no requirement.`),
    ),
    ...open.filter(({ id }) => !leftOpen.has(id)).map(({ id }) => `${id} is left open by no node.`),
  ];
}

/** The service says nothing here, so the document must not either. */
function valueFaults(document: OpenApiDocument, { id, absent = [] }: UnspecifiedRow): string[] {
  return [
    ...absent
      .filter((pointer) => !pointer.startsWith("/"))
      .map((pointer) => `${id}: ${pointer} is no pointer.`),
    ...absent
      .filter((pointer) => pointer.startsWith("/") && exists(document, pointer))
      .map((pointer) => `${id} is open, but the document has ${pointer}.`),
  ];
}

const unknown = (places: Map<string, string[]>, known: Set<string>): [string, string][] =>
  [...places]
    .filter(([id]) => !known.has(id))
    .flatMap(([id, pointers]) => pointers.map((pointer): [string, string] => [id, pointer]));

const repeated = (values: string[]): string[] => [
  ...new Set(values.filter((value, index) => values.indexOf(value) !== index)),
];

function operationIds(document: OpenApiDocument): Set<string> {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  return new Set(operations.flatMap((value) => ("operationId" in value ? [value.operationId] : [])));
}
