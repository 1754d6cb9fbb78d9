import { plainTable } from "../../lib/table.ts";
import type { MetricId, Score, Share } from "./metrics.ts";
import { measuredOn, peers } from "./peers.ts";

/** The label of each metric: unique, at most 17 characters. */
export const labels: Record<MetricId, string> = {
  operations: "operations",
  summary: "summary",
  description: "description",
  operationId: "operationId",
  tag: "tag",
  requestExample: "request example",
  responseExample: "response example",
  clientErrorSchema: "4xx with schema",
  status401: "401",
  status429: "429",
  status5xx: "5xx",
  responseHeaders: "response headers",
  ability: "ability or scope",
  describedProperties: "described props",
  boundedStrings: "bounded strings",
  boundedRequestStrings: "request strings",
  boundedArrays: "bounded arrays",
  boundedRequestArrays: "request arrays",
  links: "links",
};

/** A column of the table: a document and its figures, percent or counts. */
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

/** A share in percent, rounded down to one decimal, so that only a full share is 100. */
export function percent({ part, whole }: Share): number | undefined {
  return whole === 0 ? undefined : Math.floor((part / whole) * 1000) / 10;
}

/** The columns side by side, with a row for each metric. */
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

/** What the figures mean, and the names of the peers. */
export const legend = [
  'Percent; operations and links are counts. "-": not measured.',
  `Peers, ${measuredOn}; short names:`,
  ...peers.filter(({ name, head }) => name !== head).map(({ name, head }) => `${head}: ${name}`),
].join("\n");
