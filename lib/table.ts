import { styleText } from "node:util";
import Table from "cli-table3";

/** A table for a terminal. `widths` are in columns, with one space between two; longer text wraps between words. */
export interface PlainTable {
  head: string[];
  rows: string[][];
  widths: number[];
  align?: ("left" | "right")[];
}

const edges = ["top", "bottom", "mid", "left", "right", "middle"].flatMap((edge) =>
  ["", "-mid", "-left", "-right"].map((end) => edge + end),
);

/** Renders the table without borders, so that screen readers, copying and searching work. */
export function plainTable({ head, rows, widths, align }: PlainTable): string {
  const table = new Table({
    head: head.map((title) => styleText("bold", title)),
    colWidths: widths,
    colAligns: align ?? widths.map(() => "left"),
    wordWrap: true,
    chars: { ...Object.fromEntries(edges.map((edge) => [edge, ""])), middle: " " },
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [] },
  });
  table.push(...rows);
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}
