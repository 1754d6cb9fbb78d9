import { UserError } from "../../lib/user-error.ts";
import { header as notice } from "../common/notice.ts";
import { nameOf } from "../document/json-pointer.ts";
import { operationsOf } from "../document/operations.ts";
import { dereference } from "../document/references.ts";
import type { OpenApiDocument, Reference, ResponseObject } from "../document/types.ts";
import { literal } from "./print.ts";

const declarations = `/** A response header. */
export interface HeaderRow {
  /** Its name in responses. */
  readonly name: string;
  /** The only operations whose responses have it; null if it is not limited to some. */
  readonly operations: readonly string[] | null;
}

`;

/**
 * The response headers as data, by component name.
 *
 * @throws UserError if responses use a header component under different names
 */
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

/** The name of each header in responses, by component name. */
export function headerNames(document: OpenApiDocument): Map<string, string> {
  const names = new Map<string, string>();
  for (const reference of responsesOf(document)) {
    const { headers = {} } = dereference<ResponseObject>(document, reference);
    for (const [name, header] of Object.entries(headers)) {
      if (!("$ref" in header)) continue;
      const component = nameOf(header.$ref);
      const other = names.get(component) ?? name;
      if (other !== name)
        throw new UserError(`the header component ${component} is used as ${other} and as ${name}`, {
          hint: "Use one name in all responses.",
        });
      names.set(component, name);
    }
  }
  return new Map([...names].sort(([one], [other]) => (one < other ? -1 : 1)));
}

const responsesOf = (document: OpenApiDocument): Reference<ResponseObject>[] => [
  ...operationsOf(document).flatMap(({ operation }) => Object.values(operation.responses)),
  ...Object.values(document["x-gateway-responses"] ?? {}),
];
