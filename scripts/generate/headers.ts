import { header as notice } from "../common/notice.ts";
import { dereference } from "../document/references.ts";
import { headerNames } from "../document/responses.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { literal } from "./print.ts";

const declarations = `/** A response header. */
export interface HeaderRow {
  /** Its name in responses. */
  readonly name: string;
  /** The only operations whose responses have it; null if it is not limited to some. */
  readonly operations: readonly string[] | null;
}

`;

/** The response headers as data, by component name. */
export function headersFile(document: OpenApiDocument): string {
  const rows = new Map(
    [...headerNames(document)].map(([component, name]) => {
      const header = dereference(document, document.components.headers?.[component] ?? {});
      const operations = "x-operations" in header ? header["x-operations"] : null;
      return [component, { name, operations }];
    }),
  );
  return (
    `${notice}${declarations}/** The response headers, by component name. */\n` +
    `export const headers = ${literal(rows)} as const satisfies Record<string, HeaderRow>;\n`
  );
}
