import { mapValues } from "../../../lib/objects.ts";
import { operationsOf } from "../../document/operations.ts";
import { dereference, referencesIn } from "../../document/references.ts";
import type { OpenApiDocument, ResponseObject } from "../../document/types.ts";
import { entriesOf } from "../../document/values.ts";

/** The pointers of the components that requests and responses lead to; tables name schemas that need not be in use. */
export const usedComponents = (document: OpenApiDocument): Set<string> =>
  referencesIn(document, [document.paths, document["x-gateway-responses"]]);

/**
 * Removes what the document says of removed operations alone: rows of tables, links, components, and the limits and lifecycles of these.
 * @param before the components that were in use when it had the operations
 */
export function removeRest(document: OpenApiDocument, before: ReadonlySet<string>): void {
  const ids = new Set(operationsOf(document).map(({ id }) => id));
  const rowsOf = <Row extends { operations: string[] }>(rows: Row[]): Row[] =>
    rows.flatMap((row) => {
      const operations = row.operations.filter((id) => ids.has(id));
      return operations.length === 0 && row.operations.length > 0 ? [] : [{ ...row, operations }];
    });
  document["x-errors"] = rowsOf(document["x-errors"]);
  document["x-unspecified"] = rowsOf(document["x-unspecified"]);
  document["x-requirements"] = mapValues(document["x-requirements"], rowsOf);
  for (const header of Object.values(document.components.headers ?? {}))
    if ("x-operations" in header)
      header["x-operations"] = header["x-operations"]?.filter((id) => ids.has(id));
  for (const { operation } of operationsOf(document))
    for (const response of Object.values(operation.responses)) {
      const { links = {} } = dereference<ResponseObject>(document, response);
      removeEntries(links, ({ operationId }) => operationId !== undefined && !ids.has(operationId));
    }
  const used = usedComponents(document);
  const isRemoved = (pointer: string): boolean => {
    const [name = ""] = /^#\/components\/\w+\/[^/]+/.exec(pointer) ?? [];
    return before.has(name) && !used.has(name);
  };
  for (const [kind, parts] of entriesOf(document.components))
    removeEntries(parts, (_, name) => isRemoved(`#/components/${kind}/${name}`));
  removeEntries(document["x-limits"], ({ schema = "" }) => isRemoved(schema));
  removeEntries(document["x-lifecycles"], ({ schema, records = [] }) =>
    [schema, ...records.map((record) => record.schema)].some(isRemoved),
  );
}

function removeEntries<Value>(
  entries: Record<string, Value>,
  isRemoved: (value: Value, name: string) => boolean,
): void {
  for (const [name, value] of Object.entries(entries)) if (isRemoved(value, name)) delete entries[name];
}
