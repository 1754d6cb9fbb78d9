import { expect, test } from "vitest";
import { type Figure, summary, table } from "./figures.ts";

const figures: Figure[] = [
  {
    ...{
      group: "the program",
      name: "cold start to the first response, of the floor's",
      value: 1.854,
      most: 2,
    },
    detail: "1154 ms, floor 1071 ms",
  },
  { group: "in memory, with idempotency keys", name: "rate, of the floor's", value: 0.4567, least: 0.35 },
  { group: "in file", name: "p99", value: 26, unit: "ms", most: 25, detail: "p50 12, floor's p99 11" },
  {
    ...{ group: "the program", name: "runtime dependencies", value: 12.5, unit: "MB" },
    detail: "yaml, fast-deep-equal, @somebody/a-package-with-a-long-name",
  },
];

test("the table fits 80 columns, and says all there is", () => {
  const lines = table(figures).split("\n");
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  const column = (index: number) => lines.map((line) => line.split("│")[index]?.trim() ?? "").join("");
  expect(column(1)).toContain("cold start to the firstresponse, of the floor's");
  expect(column(2)).toContain("1.85");
  expect(column(2)).toContain("26 ms");
  expect(column(4)).toContain("MISSED");
  expect(column(5)).toContain("1154 ms, floor1071 ms");
  expect(column(5)).toContain("@somebody/a-package-with-a-long-name");
});

test("what belongs together stands together", () => {
  const text = table(figures);
  const order = ["the program", "runtime dependencies", "in memory, with idempotency keys", "in file"];
  const places = order.map((words) => text.indexOf(words));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(text.match(/the program/g)).toHaveLength(1);
});

test("the summary names the targets that are missed", () => {
  expect(summary(figures)).toBe("2 of 3 targets met\n  in file: p99, 26 ms, <= 25");
});
