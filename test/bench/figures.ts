import Table from "cli-table3";

/** Something measured, and what it should be at least or at most. */
export interface Figure {
  /** What it belongs to: figures of one group stand together. */
  group: string;
  name: string;
  value: number;
  unit?: string;
  least?: number;
  most?: number;
  detail?: string;
}

/** Whether it is as it should be; a figure without a target always is. */
export const met = ({ value, least, most }: Figure): boolean =>
  (least === undefined || value >= least) && (most === undefined || value <= most);

/** With the lines between them, 80 columns: what a terminal has at the least. */
const widths = [29, 11, 9, 8, 17];

/** The figures as a table for people, group by group. */
export function table(figures: Figure[]): string {
  const drawn = new Table({
    head: ["", "measured", "target", "", "in detail"],
    style: { head: [], border: [] },
    colWidths: widths,
  });
  for (const [group, members] of Map.groupBy(figures, (figure) => figure.group)) {
    drawn.push([{ content: group, colSpan: widths.length }]);
    for (const figure of members) drawn.push(cells(figure).map((text, index) => wrapped(text, index)));
  }
  return drawn.toString();
}

/** How many targets are met, and those that are not. */
export function summary(figures: Figure[]): string {
  const withTarget = figures.filter(({ least, most }) => least !== undefined || most !== undefined);
  const missed = withTarget.filter((figure) => !met(figure));
  const lines = missed.map((figure) => `  ${figure.group}: ${cells(figure).slice(0, 3).join(", ")}`);
  return [`${withTarget.length - missed.length} of ${withTarget.length} targets met`, ...lines].join("\n");
}

function cells(figure: Figure): string[] {
  const { name, value, unit = "", least, most, detail = "" } = figure;
  const digits = Math.abs(value) < 10 && !Number.isInteger(value) ? 2 : 0;
  const target = least !== undefined ? `>= ${least}` : most !== undefined ? `<= ${most}` : "";
  const verdict = target === "" ? "" : met(figure) ? "met" : "MISSED";
  return [name, `${value.toFixed(digits)} ${unit}`.trim(), target, verdict, detail];
}

/** A cell's text on as many lines as it needs. The table itself would cut a word off that is longer than its column. */
function wrapped(text: string, column: number): string {
  const room = (widths[column] ?? 0) - 2;
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && line.length + 1 + word.length <= room) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(...(word.match(new RegExp(`.{1,${room}}`, "g")) ?? []));
  }
  return lines.slice(1).join("\n");
}
