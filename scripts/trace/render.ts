import { plainTable } from "../../lib/table.ts";
import { traceNotice } from "../generate/notice.ts";
import { type OpenRow, summarize, type TraceRow } from "./table.ts";

/** The trace as JSON, for tools. */
export const traceJson = (rows: TraceRow[], open: OpenRow[]): string =>
  `${JSON.stringify({ generated: traceNotice, summary: summarize(rows), requirements: rows, unspecified: open }, null, 2)}\n`;

/** The trace as Markdown, for reading: a table for each topic, then the open places. */
export function traceMarkdown(rows: TraceRow[], open: OpenRow[]): string {
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
    "## Left open by the service",
    markdownTable(
      ["Id", "Open place", "Left open at"],
      open.map(({ id, text, leftOpenAt }) => [id, text, pointers(leftOpenAt)]),
    ),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** The trace for a terminal of 80 columns: a line for each requirement and open place, then the counts. */
export function traceText(rows: TraceRow[], open: OpenRow[]): string {
  const lines = [
    ...rows.map((row) => ({ ...row, places: row.encodedAt, verified: checkCount(row) })),
    ...open.map((row) => ({ ...row, places: row.leftOpenAt, verified: "open" })),
  ];
  const table = plainTable({
    head: ["Id", "Requirement", "Encoded at", "Checks"],
    widths: [widths.id, widths.text, widths.place, widths.checks],
    rows: lines.map(({ id, text, places, verified }) => [id, shortened(text), firstOf(places), verified]),
  });
  return `${table}\n\n${summaryOf(rows, open)}\n`;
}

// With a space between two: 80 columns. Wrapped texts would make it three times as long; trace.md has them whole.
const widths = { id: 8, text: 35, place: 26, checks: 8 };

const shortened = (text: string): string =>
  text.length > widths.text ? `${text.slice(0, widths.text - 1)}…` : text;

const checkCount = ({ checks, excluded }: TraceRow): string =>
  checks.length > 0 ? String(checks.length) : excluded === null ? "-" : "excluded";

/** The first place, told from its end, which says most, and how many there are beside it. */
function firstOf(places: string[]): string {
  const [first, ...others] = places;
  if (first === undefined) return "-";
  const name = first.replace(/^\/(components\/|paths\/~1api~1v1~1)/, "").replaceAll("~1", "/");
  const count = others.length > 0 ? ` +${others.length}` : "";
  const room = widths.place - count.length;
  return (name.length > room ? `…${name.slice(1 - room)}` : name) + count;
}

function summaryOf(rows: TraceRow[], open: OpenRow[]): string {
  const { requirements, encoded, checked, excluded, neither } = summarize(rows);
  const marked = open.filter(({ leftOpenAt }) => leftOpenAt.length > 0).length;
  return [
    `${requirements} requirements: ${encoded} encoded, ${checked} checked, ${excluded} excluded, ${neither} neither.`,
    `Left open by the service: ${open.length} places, ${marked} of them marked where they stand.`,
  ].join("\n");
}

const pointers = (places: string[]): string => places.map((place) => `\`${place}\``).join("<br>") || "-";

const verification = ({ checks, excluded }: TraceRow): string =>
  [
    ...checks.map(({ law, file }) => `${law} (\`${file}\`)`),
    ...(excluded === null ? [] : [`Excluded: ${excluded}`]),
  ].join("<br>") || "-";

const markdownTable = (head: string[], rows: string[][]): string =>
  [head, head.map(() => "---"), ...rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")))]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n");
