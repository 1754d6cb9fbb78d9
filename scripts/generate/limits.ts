import { limitOf } from "../bundle/limits.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { header } from "./notice.ts";
import { documentation, property } from "./print.ts";

/** The numbers of the contract by name, each with its meaning and unit as its comment. */
export function limitsFile(document: OpenApiDocument): string {
  const entries = Object.entries(document["x-limits"]).map(
    ([name, row]) =>
      `${documentation(`${row.description.trim()}\n\nUnit: ${row.unit}.`, 2)}` +
      `  ${property(name)}: ${limitOf(document, name, row)},\n`,
  );
  return `${header}/** Every number of the contract, by name. */\nexport const limits = {\n${entries.join("")}} as const;\n`;
}
