import { plainTable } from "../../lib/table.ts";
import type { MetricId, Score, Share } from "./metrics.ts";
import { measuredOn, peers } from "./peers.ts";

/** What people call each figure: at most 17 characters, no two alike. */
export const labels: Record<MetricId, string> = {
  operations: "operations",
  summary: "summary",
  description: "description",
  operationId: "operationId",
  tag: "tag",
  requestExample: "request example",
  answerExample: "answer examples",
  clientErrorSchema: "4xx with schema",
  status401: "401",
  status429: "429",
  status5xx: "5xx",
  answerHeaders: "answer headers",
  ability: "ability or scope",
  describedProperties: "described fields",
  boundedStrings: "bounded strings",
  boundedRequestStrings: "strings sent",
  boundedArrays: "bounded arrays",
  boundedRequestArrays: "arrays sent",
  links: "links",
};

/** One column of the table: a document and its figures, percent or a count. */
export interface Column {
  head: string;
  figures: Partial<Record<MetricId, number | undefined>>;
}

/** The column of a measured document. */
export function column(head: string, score: Score): Column {
  const figures = Object.entries(score).map(([metric, figure]) => [
    metric,
    typeof figure === "number" ? figure : percent(figure),
  ]);
  return { head, figures: Object.fromEntries(figures) };
}

/** A share in percent, rounded down to one decimal, so that only what is everywhere is 100. */
export function percent({ part, whole }: Share): number | undefined {
  return whole === 0 ? undefined : Math.floor((part / whole) * 1000) / 10;
}

/** The columns beside each other, a row for each figure. */
export function scoreTable(columns: Column[]): string {
  const rows = (Object.keys(labels) as MetricId[]).map((metric) => [
    labels[metric],
    ...columns.map(({ figures }) => figures[metric]?.toString() ?? "-"),
  ]);
  return plainTable({
    head: ["", ...columns.map(({ head }) => head)],
    rows,
    widths: [17, ...columns.map(() => 6)],
    align: ["left", ...columns.map((): "right" => "right")],
  });
}

/** What the figures mean, and who the peers are. */
export const legend = [
  'Percent of the places; operations and links are counts. "-": not measured.',
  `Peers, ${measuredOn}; short names:`,
  ...peers.filter(({ name, short }) => name !== short).map(({ name, short }) => `${short}: ${name}`),
].join("\n");
