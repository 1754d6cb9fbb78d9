import { mapValues } from "../../../lib/objects.ts";
import { pathOf } from "../../document/json-pointer.ts";
import { operationsOf } from "../../document/operations.ts";
import { dereference, referencesIn } from "../../document/references.ts";
import { existing } from "../../document/requirements.ts";
import type { OpenApiDocument, ResponseObject } from "../../document/types.ts";
import { entriesOf } from "../../document/values.ts";

/** The pointers of the components that requests and responses lead to; tables name schemas that need not be in use. */
export const usedComponents = (document: OpenApiDocument): Set<string> =>
  referencesIn(document, [document.paths, document["x-gateway-responses"]]);

/**
 * The document without what it says of removed operations alone: rows of tables and the marks with their ids, links, components, and the
 * limits and lifecycles of these.
 * @param before the components that were in use when it had the operations
 */
export function withoutRest(given: OpenApiDocument, before: ReadonlySet<string>): OpenApiDocument {
  const ids = new Set(operationsOf(given).map(({ id }) => id));
  const rowsOf = <Row extends { operations: string[] }>(rows: Row[]): Row[] =>
    rows.flatMap((row) => {
      const operations = row.operations.filter((id) => ids.has(id));
      return operations.length === 0 && row.operations.length > 0 ? [] : [{ ...row, operations }];
    });
  const unspecified = rowsOf(given["x-unspecified"]);
  const requirements = mapValues(given["x-requirements"], rowsOf);
  const errors = rowsOf(given["x-errors"]);
  const tables = { "x-errors": errors, "x-requirements": requirements, "x-unspecified": unspecified };
  const known = new Set([
    ...ids,
    ...[unspecified, ...Object.values(requirements)].flat().map(({ id }) => id),
  ]);
  const document: OpenApiDocument = JSON.parse(JSON.stringify({ ...given, ...tables }), (key, value) =>
    /^x-(operations|encodes|leaves-unspecified)$/.test(key)
      ? value.filter((id: string) => known.has(id))
      : value,
  );
  for (const { operation } of operationsOf(document))
    for (const response of Object.values(operation.responses)) {
      const { links = {} } = dereference<ResponseObject>(document, response);
      removeEntries(links, (link) => "operationId" in link && !ids.has(link.operationId));
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
  const hasOwner = (path: string[]): boolean =>
    existing({ ...document }, path.slice(0, -1).slice(0, 3)).length > 0;
  for (const row of document["x-unspecified"])
    if (row.absent) row.absent = row.absent.filter((pointer) => hasOwner(pathOf(pointer).map(String)));
  return document;
}

function removeEntries<Value>(
  entries: Record<string, Value>,
  isRemoved: (value: Value, name: string) => boolean,
): void {
  for (const [name, value] of Object.entries(entries)) if (isRemoved(value, name)) delete entries[name];
}
