import { header } from "../common/notice.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { literal } from "./print.ts";

/** The prefixes of ids, by schema name. */
export function idsFile(document: OpenApiDocument): string {
  const prefixes = Object.entries(document.components.schemas ?? {}).flatMap(([name, schema]) =>
    schema["x-prefix"] === undefined ? [] : [[name, schema["x-prefix"]] as const],
  );
  return (
    `${header}/** The prefixes of ids, by schema name. */\n` +
    `export const idPrefixes = ${literal(new Map(prefixes))} as const;\n`
  );
}
