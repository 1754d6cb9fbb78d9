import { limitOf } from "../../document/limits.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import { formatNumber } from "../schema/constraints.ts";
import { anchor, cellLines, code, joined, table } from "../text/markdown.ts";
import { smallPrint } from "../text/small-print.ts";
import type { Page } from "./page.ts";

export function limitsPage(document: OpenApiDocument): Page {
  const rows = Object.entries(document["x-limits"]).map(([name, limit]) => [
    `${anchor(name)}${code(name)}`,
    `${formatNumber(limitOf(document, name, limit))} ${limit.unit}`,
    cellLines(limit.description, smallPrint(limit)),
  ]);
  return {
    path: "limits",
    title: "Limits",
    description: "Every limit of the API: rates, sizes, lengths, counts and durations.",
    text: joined(
      "Rates, sizes, lengths, counts and durations. Generated code has each limit under the name in the first column.",
      table(["Name", "Value", "Description"], rows),
    ),
  };
}
