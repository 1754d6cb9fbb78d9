import { limitOf } from "../../document/limits.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import { errorName } from "../parts/errors.ts";
import { formatNumber } from "../schema/constraints.ts";
import { box } from "../text/layout.ts";
import { anchor, cellLines, code, joined, siteLink, table } from "../text/markdown.ts";
import { errorPath } from "../text/page-paths.ts";
import { smallPrint } from "../text/small-print.ts";
import type { Page } from "./page.ts";

export function limitsPage(document: OpenApiDocument): Page {
  const rows = Object.entries(document["x-limits"]).map(([name, limit]) => [
    `${anchor(name)}${code(name)}`,
    `${formatNumber(limitOf(document, name, limit))} ${limit.unit}`,
    errorText(document, limit.error),
    cellLines(limit.description, smallPrint(limit)),
  ]);
  return {
    path: "limits",
    title: "Limits",
    description: "Every limit of the API: rates, sizes, lengths, counts and durations.",
    text: joined(
      "Rates, sizes, lengths, counts and durations, with the error for a request beyond the limit. Generated code has each limit under the name in the first column.",
      box("limits", table(["Name", "Value", "Error", "Description"], rows)),
    ),
  };
}

function errorText(document: OpenApiDocument, id: string | undefined): string {
  const row = document["x-errors"].find((one) => one.id === id);
  return row === undefined ? "" : siteLink(errorName(row), errorPath(row));
}
