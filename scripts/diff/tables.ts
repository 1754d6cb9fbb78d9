import { limitOf } from "../document/limits.ts";
import type { LimitRow, OpenApiDocument } from "../document/types.ts";
import { listOf, type Node, nodeOf, type Path, textOf } from "../document/values.ts";
import { child, compareNames, type Pair, reportItem, reportKey, same } from "./change.ts";
import { compareRest } from "./rest.ts";

/** The `x-` tables that are compared row by row. */
export const tableKeys = [
  "x-errors",
  "x-limits",
  "x-abilities",
  "x-requirements",
  "x-unspecified",
  "x-simulator",
  "x-versioning",
];

/** Compares the tables of this contract. */
export function compareTables(root: Pair): void {
  compareRows(root, "x-errors", listed, "error", compareError);
  compareRows(root, "x-limits", named, "limit", compareLimit);
  compareRows(root, "x-abilities", named, "ability", (row) => compareRest(row, [], "wording-changed"));
  compareRows(root, "x-requirements", byTopic, "requirement", (row) => {
    compareNames(row, "operations", "requirement-operation");
    compareRest(row, ["operations"], "requirement-reworded");
  });
  compareRows(root, "x-unspecified", listed, "unspecified", (row) =>
    compareRest(row, [], "unspecified-reworded"),
  );
  compareSimulator(child(root, "x-simulator"));
  compareVersioning(child(root, "x-versioning"));
}

/** Rows by their id, each with its path below the table. */
type Rows = Map<string, { row: Node; steps: Path }>;

const named = (table: unknown): Rows =>
  new Map(Object.entries(nodeOf(table)).map(([name, row]) => [name, { row: nodeOf(row), steps: [name] }]));

const listed = (table: unknown, id = "id", steps: Path = []): Rows =>
  new Map(
    listOf(table).map((row, index) => [
      textOf(nodeOf(row)[id]),
      { row: nodeOf(row), steps: [...steps, index] },
    ]),
  );

/** Requirements by id: they may move between topics. */
const byTopic = (table: unknown): Rows =>
  new Map(
    Object.entries(nodeOf(table))
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([topic, rows]) => [...listed(rows, "id", [topic])]),
  );

function compareRows(
  pair: Pair,
  key: string,
  rowsOf: (table: unknown) => Rows,
  thing: string,
  compare: (row: Pair) => void,
): void {
  const [old, now] = [rowsOf(pair.before[key]), rowsOf(pair.after[key])];
  for (const [name, { row, steps }] of old) {
    const other = now.get(name);
    // A limit in a schema is compared there.
    const isInSchema = thing === "limit" && "keyword" in row;
    if (other === undefined)
      reportItem(pair, [key, ...steps], "base", isInSchema ? "limit-row-removed" : `${thing}-removed`, name);
    else if (!same(row, other.row))
      compare({ ...pair, before: row, after: other.row, path: [...pair.path, key, ...other.steps] });
  }
  for (const [name, { steps }] of now)
    if (!old.has(name)) reportItem(pair, [key, ...steps], "revision", `${thing}-added`, name);
  const inOrder = (rows: Rows, others: Rows): string[] =>
    [...rows.keys()].filter((name) => others.has(name) && rowsOf !== named);
  if (!same(inOrder(old, now), inOrder(now, old)))
    reportKey(pair, key, "order-changed", { document: "revision" });
}

function compareError(row: Pair): void {
  const kinds = { status: "status-code", type: "type", retry: "retry", namesFields: "fields" };
  for (const [key, kind] of Object.entries(kinds))
    if (!same(row.before[key], row.after[key])) reportKey(row, key, `error-${kind}-changed`);
  compareNames(row, "operations", "error-operation");
  compareRest(row, [...Object.keys(kinds), "operations"], "wording-changed");
}

/** Compares the number of a limit, wherever it is defined. A number in a schema is compared there. */
function compareLimit(row: Pair): void {
  const { context, before, after, path } = row;
  const name = String(path.at(-1));
  const isSame = (keys: string[]): boolean => keys.every((key) => same(before[key], after[key]));
  const isInSchema = "keyword" in before && isSame(["schema", "keyword"]);
  const [old, now] = [numberOf(context.base, name, before), numberOf(context.revision, name, after)];
  if (old !== now && !isInSchema) {
    const isRaised = old !== undefined && now !== undefined && now > old;
    const change = { kind: isRaised ? "limit-raised" : "limit-lowered", path: [...path, "value"] };
    context.report({ ...change, document: "revision", name, before: old, after: now });
  } else if (!isInSchema && !isSame(["value", "schema", "keyword"]))
    context.report({ kind: "reference-changed", path, document: "revision", name });
  if (before.unit !== after.unit) reportKey(row, "unit", "limit-unit-changed");
  compareRest(row, ["value", "schema", "keyword", "unit"], "wording-changed");
}

function numberOf(document: Node, name: string, row: Node): number | undefined {
  try {
    return limitOf(document as unknown as OpenApiDocument, name, row as unknown as LimitRow);
  } catch {
    return undefined;
  }
}

function compareSimulator(pair: Pair): void {
  if (!same(pair.before.domain, pair.after.domain)) reportKey(pair, "domain", "simulator-changed");
  const recipients = (table: unknown): Rows => listed(table, "localPart");
  compareRows(pair, "recipients", recipients, "simulator-recipient", (row) => {
    const wasUnspecified = listOf(row.before.states).length === 0;
    if (!same(row.before.states, row.after.states))
      reportKey(row, "states", wasUnspecified ? "simulator-specified" : "simulator-changed");
    compareRest(row, ["states", "localPart"], "wording-changed");
  });
  compareRest(pair, ["domain", "recipients"]);
}

function compareVersioning(pair: Pair): void {
  for (const key of ["version", "prefix"])
    if (!same(pair.before[key], pair.after[key])) reportKey(pair, key, "version-changed");
  compareNames(pair, "added", "version-addition");
  compareNames(pair, "never", "version-guarantee");
  compareRest(pair, ["version", "prefix", "added", "never"], "wording-changed");
}
