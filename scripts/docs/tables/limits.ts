import { limitOf } from "../../bundle/limit.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import { anchor, code, joined, table } from "../markdown.ts";
import { smallPrint } from "../marks.ts";
import type { Page } from "../page.ts";
import { number } from "../schema/constraints.ts";

/** Every number of the contract in one table. */
export function limitsPage(document: OpenApiDocument): Page {
  const rows = Object.entries(document["x-limits"]).map(([name, limit]) => [
    `${anchor(name)}${code(name)}`,
    `${number(limitOf(document, name, limit))} ${limit.unit}`,
    joined(limit.description, smallPrint(limit)).replaceAll(/\s*\n+/g, "<br>"),
  ]);
  return {
    address: "limits",
    title: "Limits",
    description: "Every number of the API: rates, sizes, lengths, counts and spans of time.",
    text: joined(
      "The rate limit, sizes, lengths, counts and spans of time. Each number stands in the contract once, under the name in the first column; generated code has it under the same name.",
      table(["Name", "Value", "What it limits"], rows),
    ),
  };
}
