import { UserError } from "../../lib/user-error.ts";
import { nameOf } from "../document/json-pointer.ts";
import { operationsOf } from "../document/operations.ts";
import { dereference } from "../document/references.ts";
import type { OpenApiDocument, Reference, ResponseObject } from "../document/types.ts";
import { header as notice } from "./notice.ts";
import { literal } from "./print.ts";

const declarations = `/** A header of answers. */
export interface HeaderRow {
  /** Its name in answers. */
  readonly name: string;
  /** The only operations whose answers have it; null where it is not bound to some. */
  readonly operations: readonly string[] | null;
}

`;

/** The headers of answers as data, by their component in the document. Throws a Failure where an answer calls one otherwise than another. */
export function headersFile(document: OpenApiDocument): string {
  const rows = new Map(
    [...headerNames(document)].map(([component, name]) => {
      const header = dereference(document, document.components.headers?.[component] ?? {});
      const operations = "x-operations" in header ? header["x-operations"] : null;
      return [component, { name, operations }];
    }),
  );
  return (
    `${notice}${declarations}/** The headers of answers, by their component in the document. */\n` +
    `export const headers = ${literal(rows)} as const satisfies Record<string, HeaderRow>;\n`
  );
}

/** What answers call each header, by its component: the names stand where a header is used. */
export function headerNames(document: OpenApiDocument): Map<string, string> {
  const names = new Map<string, string>();
  for (const reference of answersOf(document)) {
    const { headers = {} } = dereference<ResponseObject>(document, reference);
    for (const [name, header] of Object.entries(headers)) {
      if (!("$ref" in header)) continue;
      const component = nameOf(header.$ref);
      const other = names.get(component) ?? name;
      if (other !== name)
        throw new UserError(`the header ${component} is called both ${other} and ${name}`, {
          hint: "Call it the same in every answer.",
        });
      names.set(component, name);
    }
  }
  return new Map([...names].sort(([one], [other]) => (one < other ? -1 : 1)));
}

const answersOf = (document: OpenApiDocument): Reference<ResponseObject>[] => [
  ...operationsOf(document).flatMap(({ operation }) => Object.values(operation.responses)),
  ...Object.values(document["x-gateway-responses"] ?? {}),
];
