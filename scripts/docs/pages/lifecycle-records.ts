import { dereference } from "../../document/references.ts";
import type {
  Lifecycle,
  LifecycleRecord,
  OpenApiDocument,
  PropertyStates,
  Schema,
  Transition,
} from "../../document/types.ts";
import { cellLines, code, joined, siteLink, table } from "../text/markdown.ts";
import { schemaPath } from "../text/page-paths.ts";
import { mergedIds, smallPrint } from "../text/small-print.ts";

/** The states in which the properties of each kind of record are set and null. */
export const recordTables = (document: OpenApiDocument, { records = [] }: Lifecycle): string =>
  joined(...records.map((record) => recordTable(document, record)));

function recordTable(
  document: OpenApiDocument,
  { schema: $ref, state, properties }: LifecycleRecord,
): string {
  const schema = dereference<Schema>(document, { $ref });
  const name = $ref.slice($ref.lastIndexOf("/") + 1);
  const rows = Object.entries(Object.groupBy(properties, ({ property }) => property));
  return joined(
    `Properties of a ${siteLink((schema.title ?? name).toLowerCase(), schemaPath(name, schema))}. In other states they are not specified.`,
    table(
      ["Property", `Set if ${code(state)} is`, `Null if ${code(state)} is`],
      rows.map(([property, own = []]) => [
        code(property),
        cellLines(...own.map((row) => states(row.set, row))),
        cellLines(...own.map((row) => states(row.unset, row)), smallPrint(mergedIds(...own))),
      ]),
    ),
  );
}

function states(listed: string[] | "all" | undefined, { unless = {} }: PropertyStates): string {
  if (listed === undefined) return "";
  const exceptions = Object.entries(unless).map(([name, not]) => {
    const value = String(not);
    return `, unless ${code(name)} is ${code(value.slice(value.lastIndexOf("/") + 1))}`;
  });
  return `${listed === "all" ? "any" : listed.map(code).join(", ")}${exceptions.join("")}`;
}

/** The properties that a transition sets: those that its new state has and one of the states before has not. */
export function setBy({ records = [] }: Lifecycle, { from, to }: Transition): string | undefined {
  if (to === null) return undefined;
  const names = records
    .flatMap(({ properties }) => properties)
    .filter(({ set = [] }) => set.includes(to) && !(from?.every((state) => set.includes(state)) ?? false))
    .map(({ property }) => code(property));
  return names.length === 0 ? undefined : `Sets ${names.join(" and ")}.`;
}
