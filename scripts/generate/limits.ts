import { header } from "../common/notice.ts";
import { limitOf } from "../document/limits.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { documentation, property } from "./print.ts";

/** The limits by name, each with its description and unit as a comment. */
export function limitsFile(document: OpenApiDocument): string {
  const entries = Object.entries(document["x-limits"]).map(
    ([name, row]) =>
      `${documentation(`${row.description.trim()}\n\nUnit: ${row.unit}.`, 2)}` +
      `  ${property(name)}: ${limitOf(document, name, row)},\n`,
  );
  return `${header}/** The limits of the service, by name. */\nexport const limits = {\n${entries.join("")}} as const;\n`;
}
