import type { OpenApiDocument } from "../document/types.ts";
import { header } from "./notice.ts";
import { literal } from "./print.ts";

/** What ids begin with, where it is promised, by the name of their schema. */
export function idsFile(document: OpenApiDocument): string {
  const prefixes = Object.entries(document.components.schemas ?? {}).flatMap(([name, schema]) =>
    schema["x-prefix"] === undefined ? [] : [[name, schema["x-prefix"]] as const],
  );
  return (
    `${header}/** What ids begin with, where it is promised, by the name of their schema. */\n` +
    `export const idPrefixes = ${literal(new Map(prefixes))} as const;\n`
  );
}
