import { schemas } from "../../../generated/validators/responses.js";
import { isObject } from "../../../lib/is-object.ts";
import type { LifecycleRecord, PropertyStates } from "../../../scripts/document/types.ts";
import { document, nameOf, resolve, type Schema } from "../document.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import type { DocumentedResponse } from "./documented.ts";
import { finding, type ResponseFinding } from "./finding.ts";
import { branchFor } from "./nodes.ts";

type Values = Record<string, unknown>;

const tables = Object.values(document["x-lifecycles"]).flatMap(({ records = [] }) => records);

/** The properties that a state sets or clears, in every record of a success. */
export function stateFindings(exchange: Exchange, { schema }: DocumentedResponse): ResponseFinding[] {
  if (schema === undefined || !isSuccess(exchange)) return [];
  return recordsIn(schema, exchange.json).flatMap(({ table, record, around }) =>
    table.properties.flatMap((row) => rowFindings(table, row, record, { ...around, ...record })),
  );
}

function rowFindings(
  { state }: LifecycleRecord,
  row: PropertyStates,
  record: Values,
  known: Values,
): ResponseFinding[] {
  const { property, set = [], unset = [], unless = {} } = row;
  const [status, value] = [String(record[state]), record[property]];
  const isSet = set.includes(status);
  if (!isSet && unset !== "all" && !unset.includes(status)) return [];
  // A missing property is reported already.
  if (value === undefined || Object.entries(unless).some(([name, not]) => mayBe(known[name], not))) return [];
  const expected = `${property} ${isSet ? "set" : "null"} in a record with ${state} ${status}`;
  return [
    finding(row["x-encodes"] ?? [], titleOf(state, row), (value !== null) === isSet, {
      expected,
      found: `${property} ${JSON.stringify(value)}`,
    }),
  ];
}

type Validators = Record<string, ((data: unknown) => boolean) | undefined>;

/** Whether a value, if it is known, is another one or valid under the schema at a pointer. */
function mayBe(value: unknown, other: unknown): boolean {
  if (value === undefined || value === other) return true;
  if (typeof other !== "string" || !other.startsWith("#/")) return false;
  return (schemas as unknown as Validators)[nameOf({ $ref: other }) ?? ""]?.(value) ?? true;
}

const titleOf = (state: string, { property, set, unset, unless = {} }: PropertyStates): string =>
  [
    ...(set === undefined ? [] : [`${property} is set if ${state} is ${set.join(", ")}`]),
    ...(unset === undefined ? [] : [`${property} is null if ${state} is ${[unset].flat().join(", ")}`]),
    ...Object.entries(unless).map(([name, not]) => `unless ${name} is ${String(not).split("/").at(-1)}`),
  ].join("; ");

interface FoundRecord {
  table: LifecycleRecord;
  record: Values;
  /** The properties of the objects that contain the record. */
  around: Values;
}

function recordsIn(schema: Schema, value: unknown, around: Values = {}): FoundRecord[] {
  const { anyOf = [], oneOf = [], properties = {}, items } = resolve<Schema>(document, schema);
  const branch = branchFor([...anyOf, ...oneOf], value);
  if (branch !== undefined) return recordsIn(branch, value, around);
  if (Array.isArray(value)) return items ? value.flatMap((entry) => recordsIn(items, entry, around)) : [];
  if (!isObject(value)) return [];
  const own = tables.filter((table) => nameOf(schema) === nameOf({ $ref: table.schema }));
  const inside = { ...around, ...value };
  return [
    ...own.map((table) => ({ table, record: value, around })),
    ...Object.entries(properties).flatMap(([name, inner]) => recordsIn(inner, value[name], inside)),
  ];
}
