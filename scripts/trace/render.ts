import { plainTable } from "../../lib/table.ts";
import { count, wrapped } from "../../lib/text.ts";
import { traceNotice } from "../common/notice.ts";
import { summarize, type TraceRow, type UnspecifiedTraceRow } from "./table.ts";

/** The trace as JSON, for tools. */
export const traceJson = (rows: TraceRow[], open: UnspecifiedTraceRow[]): string =>
  `${JSON.stringify({ generated: traceNotice, summary: summarize(rows), requirements: rows, unspecified: open }, null, 2)}\n`;

/** The trace as Markdown, for reading: a table for each topic, then the unspecified items. */
export function traceMarkdown(rows: TraceRow[], open: UnspecifiedTraceRow[]): string {
  const topics = Object.entries(Object.groupBy(rows, ({ topic }) => topic));
  const sections = topics.map(([topic, members = []]) => [
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
  const lines = [
    ...rows.map((row) => ({ ...row, places: row.encodedAt, verified: checkCount(row) })),
    ...open.map((row) => ({ ...row, places: row.unspecifiedAt, verified: "unspec." })),
  ];
  const table = plainTable({
    head: ["Id", "Requirement", "Encoded at", "Checks"],
    widths: [widths.id, widths.text, widths.place, widths.checks],
    rows: lines.map(({ id, text, places, verified }) => [id, shortened(text), firstOf(places), verified]),
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
function firstOf(places: string[]): string {
  const [first, ...others] = places;
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

const markdownTable = (head: string[], rows: string[][]): string =>
  [head, head.map(() => "---"), ...rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")))]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n");

/** Requirements with every place and every check, for a terminal. */
export const traceDetails = (rows: TraceRow[]): string =>
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
