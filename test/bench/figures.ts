import Table from "cli-table3";

/** Something measured, and what it should be at least or at most. */
export interface Figure {
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

/** The figures as a table for people. */
export function table(figures: Figure[]): string {
  const drawn = new Table({
    head: ["", "measured", "target", "", "in detail"],
    style: { head: [], border: [] },
  });
  for (const figure of figures) {
    const { name, value, unit = "", least, most, detail = "" } = figure;
    const digits = Math.abs(value) < 10 && !Number.isInteger(value) ? 2 : 0;
    const target = least !== undefined ? `>= ${least}` : most !== undefined ? `<= ${most}` : "";
    const verdict = target === "" ? "" : met(figure) ? "met" : "MISSED";
    drawn.push([name, `${value.toFixed(digits)} ${unit}`.trim(), target, verdict, detail]);
  }
  return drawn.toString();
}
