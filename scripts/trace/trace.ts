import type { RequirementRow, UnspecifiedRow } from "../../generated/schema-types.ts";
import type { Files } from "../../lib/files.ts";
import { printable } from "../../lib/print.ts";
import { plainTable } from "../../lib/table.ts";
import { count, markdownTable, wrapped } from "../../lib/text.ts";
import { usageError } from "../../lib/user-error.ts";
import { traceNotice } from "../common/notice.ts";
import { generatedFolder } from "../common/paths.ts";
import { readBundle } from "../document/read-bundle.ts";
import { markedAt, requirementsOf } from "../document/requirements.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { isOfClients, isOfModel, type TracedCheck, tracedChecks } from "./checks.ts";

/**
 * The `trace` command: prints where the document encodes every requirement and which checks verify it, then the problems of
 * the requirements. Returns the exit code, 1 if there are any.
 * @param ids prints these requirements only; default: all
 * @param options.folder the folder of the bundle; default: `generated/`
 * @param options.print takes the text; default: standard output
 * @throws UserError with exit code 2 if there is no bundle, or no requirement with an id
 */
export async function runTrace(
  ids: readonly string[] = [],
  options: { folder?: string; print?: (text: string) => void } = {},
): Promise<number> {
  const { folder = generatedFolder, print = (text) => process.stdout.write(printable(text)) } = options;
  const document = await readBundle(folder);
  const rows = traceTable(document, await tracedChecks(document));
  const open = unspecifiedTable(document);
  const unknown = ids.find((id) => !rows.some((row) => row.id === id));
  if (unknown !== undefined)
    throw usageError(`there is no requirement ${unknown}`, "The command without ids lists all requirements.");
  print(ids.length === 0 ? traceText(rows, open) : traceDetails(rows.filter(({ id }) => ids.includes(id))));
  const problems = [...requirementProblems(document), ...verificationProblems(rows)];
  if (problems.length > 0) print(`\n${problems.join("\n")}\n`);
  return problems.length === 0 ? 0 : 1;
}

/** The trace as `trace.json` and `trace.md`. */
export async function traceFiles(document: OpenApiDocument): Promise<Files> {
  const rows = traceTable(document, await tracedChecks(document));
  const open = unspecifiedTable(document);
  const trace = { generated: traceNotice, summary: summarize(rows), requirements: rows, unspecified: open };
  return new Map([
    ["trace.json", `${JSON.stringify(trace, null, 2)}\n`],
    ["trace.md", traceMarkdown(rows, open)],
  ]);
}

/** The trace as Markdown, for reading: a table for each topic, then the unspecified items. */
function traceMarkdown(rows: TraceRow[], open: UnspecifiedTraceRow[]): string {
  const sections = Object.entries(Object.groupBy(rows, ({ topic }) => topic)).map(([topic, members = []]) => [
    `## ${topic}`,
    markdownTable(
      ["Id", "Requirement", "Kind", "Encoded at", "Verified by"],
      members.map((row) => [row.id, row.text, row.kind, pointers(row.encodedAt), verification(row)]),
    ),
  ]);
  const parts = [
    `<!-- ${traceNotice} -->`,
    "# Requirements",
    summaryOf(rows, open),
    ...sections.flat(),
    "## Unspecified",
    markdownTable(
      ["Id", "Unspecified", "Named at"],
      open.map(({ id, text, unspecifiedAt }) => [id, text, pointers(unspecifiedAt)]),
    ),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** The trace for a terminal of 80 columns: a line for each requirement and unspecified item, then the counts. */
export function traceText(rows: TraceRow[], open: UnspecifiedTraceRow[]): string {
  const table = plainTable({
    head: ["Id", "Requirement", "Encoded at", "Checks"],
    widths: [widths.id, widths.text, widths.place, widths.checks],
    rows: [
      ...rows.map((row) => ({ ...row, places: row.encodedAt, verified: checkCount(row) })),
      ...open.map((row) => ({ ...row, places: row.unspecifiedAt, verified: "unspec." })),
    ].map(({ id, text, places, verified }) => [id, shortened(text), firstOf(places), verified]),
  });
  return `${table}\n\n${summaryOf(rows, open)}\n`;
}

// 80 columns with the spaces between. trace.md has the texts in full.
const widths = { id: 8, text: 33, place: 26, checks: 10 };

const shortened = (text: string): string =>
  text.length > widths.text ? `${text.slice(0, widths.text - 1)}…` : text;

const checkCount = ({ checks, excluded }: TraceRow): string =>
  checks.length > 0 ? String(checks.length) : excluded === null ? "-" : "excluded";

/** The end of the first pointer, and how many others there are. */
function firstOf([first, ...others]: string[]): string {
  if (first === undefined) return "-";
  const name = first.replace(/^\/(components\/|paths\/~1api~1v1~1)/, "").replaceAll("~1", "/");
  const more = others.length > 0 ? ` +${others.length}` : "";
  const room = widths.place - more.length;
  return (name.length > room ? `…${name.slice(1 - room)}` : name) + more;
}

function summaryOf(rows: TraceRow[], open: UnspecifiedTraceRow[]): string {
  const { requirements, encoded, checked, excluded, neither } = summarize(rows);
  const marked = open.filter(({ unspecifiedAt }) => unspecifiedAt.length > 0).length;
  return [
    `${count(requirements, "requirement")}: ${encoded} encoded, ${checked} checked, ${excluded} excluded, ${neither} neither.`,
    `${count(open.length, "unspecified item")}, ${marked} of them named in the document.`,
  ].join("\n");
}

const pointers = (places: string[]): string => places.map((place) => `\`${place}\``).join("<br>") || "-";

const verification = ({ checks, excluded }: TraceRow): string =>
  [
    ...checks.map(({ title, file }) => `${title} (\`${file}\`)`),
    ...(excluded === null ? [] : [`No check: ${excluded}`]),
  ].join("<br>") || "-";

/** Requirements with every place and every check, for a terminal. */
const traceDetails = (rows: TraceRow[]): string =>
  rows
    .map(({ id, text, encodedAt, checks, excluded }) =>
      [
        wrapped(`${id} ${text}`, "  "),
        ...encodedAt.map((pointer) => wrapped(`- encoded at ${pointer}`, "  ")),
        ...checks.map(({ title, file }) => wrapped(`- checked by "${title}" in ${file}`, "  ")),
        ...(excluded === null ? [] : [wrapped(`- not checked: ${excluded}`, "  ")]),
        "",
      ].join("\n"),
    )
    .join("\n");

/** A requirement with what encodes and verifies it. */
export interface TraceRow extends Omit<RequirementRow, "excluded"> {
  /** Its topic, the name of its file. */
  topic: string;
  /** JSON Pointers into the bundle: the nodes that encode it. */
  encodedAt: string[];
  /** The checks of the contract suite that verify it. */
  checks: { title: string; file: string }[];
  /** Why no check verifies it, or null. */
  excluded: string | null;
}

/** An unspecified item with the nodes that name it. */
interface UnspecifiedTraceRow extends Omit<UnspecifiedRow, "absent"> {
  /** JSON Pointers into the bundle: the nodes that name it in `x-leaves-unspecified`. */
  unspecifiedAt: string[];
}

export function traceTable(document: OpenApiDocument, checks: readonly TracedCheck[]): TraceRow[] {
  const encoded = markedAt({ ...document }, "x-encodes");
  return requirementsOf(document).map(({ excluded = null, ...row }) => ({
    ...row,
    encodedAt: encoded.get(row.id) ?? [],
    checks: checks.filter(({ ids }) => ids.includes(row.id)).map(({ title, file }) => ({ title, file })),
    excluded,
  }));
}

export function unspecifiedTable(document: OpenApiDocument): UnspecifiedTraceRow[] {
  const marked = markedAt({ ...document }, "x-leaves-unspecified");
  return document["x-unspecified"].map(({ absent: _, ...row }) => ({
    ...row,
    unspecifiedAt: marked.get(row.id) ?? [],
  }));
}

/** The numbers of requirements; one that is both encoded and checked is in both numbers. */
export const summarize = (rows: TraceRow[]) => ({
  requirements: rows.length,
  encoded: rows.filter(({ encodedAt }) => encodedAt.length > 0).length,
  checked: rows.filter(({ checks }) => checks.length > 0).length,
  excluded: rows.filter(({ excluded }) => excluded !== null).length,
  neither: rows.filter(({ checks, excluded }) => checks.length === 0 && excluded === null).length,
});

/**
 * The requirements that are neither checked nor excluded, and those that are both, a sentence each. A requirement on clients needs a check
 * of clients, every other one a check of servers besides the model.
 */
export const verificationProblems = (rows: TraceRow[]): string[] =>
  rows.flatMap(({ id, kind, checks, excluded }) => {
    const isOfClient = kind === "client";
    const own = checks.filter((check) => isOfClients(check) === isOfClient);
    const folder = isOfClient ? "contract/client-suite/checks/" : "contract/checks/";
    if (own.every(isOfModel) && excluded === null)
      return [`${id} has no check: add one in ${folder}, or \`excluded\` with the reason to its row.`];
    return own.length > 0 && excluded !== null ? [`${id} is checked: remove \`excluded\` from its row.`] : [];
  });

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
