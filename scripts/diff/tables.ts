import { limitOf } from "../bundle/limit.ts";
import type { LimitRow, OpenApiDocument } from "../document/types.ts";
import { isNode, listOf, type Node, nodeOf, type Path, textOf } from "../document/values.ts";
import { compareNames } from "./answers.ts";
import { namesOf, same, type Walk } from "./found.ts";
import { compareRest, reportKey } from "./wording.ts";

/** The tables that have a comparison of their own. */
export const tableKeys = [
  "x-errors",
  "x-limits",
  "x-abilities",
  "x-requirements",
  "x-unspecified",
  "x-simulator",
  "x-versioning",
];

/** Compares the tables of this contract, row by row. */
export function compareTables(walk: Walk): void {
  const { before, after } = walk;
  compareRows(walk, byId(before["x-errors"]), byId(after["x-errors"]), ["x-errors"], "error", compareError);
  const limits: [Node, Node] = [nodeOf(before["x-limits"]), nodeOf(after["x-limits"])];
  compareRows(walk, byName(limits[0]), byName(limits[1]), ["x-limits"], "limit", compareLimit);
  const [old, young] = [nodeOf(before["x-abilities"]), nodeOf(after["x-abilities"])];
  compareRows(walk, byName(old), byName(young), ["x-abilities"], "ability", compareTexts);
  compareRows(walk, byTopic(before), byTopic(after), ["x-requirements"], "promise", compareRequirement);
  const open: [Rows, Rows] = [byId(before["x-unspecified"]), byId(after["x-unspecified"])];
  compareRows(walk, ...open, ["x-unspecified"], "open-place", compareOpenPlace);
  compareSimulator(walk);
  compareVersioning(walk);
}

/** Rows by what they are known by, with the way to each below its table. */
type Rows = Map<string, { row: Node; way: Path }>;
type RowComparison = (walk: Walk, before: Node, after: Node, path: Path) => void;

const byName = (table: Node): Rows =>
  new Map(Object.entries(table).map(([name, row]) => [name, { row: nodeOf(row), way: [name] }]));

const byId = (table: unknown, way: Path = []): Rows =>
  new Map(
    listOf(table).map((row, index) => [textOf(nodeOf(row).id), { row: nodeOf(row), way: [...way, index] }]),
  );

/** Requirements by id: the topic that they stand under may change. */
const byTopic = (document: Node): Rows =>
  new Map(
    Object.entries(nodeOf(document["x-requirements"]))
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([topic, rows]) => [...byId(rows, [topic])]),
  );

function compareRows(
  walk: Walk,
  before: Rows,
  after: Rows,
  path: Path,
  thing: string,
  compare: RowComparison,
): void {
  for (const [name, { row, way }] of before) {
    const there = after.get(name);
    if (there === undefined) {
      // The number of such a limit stands in a schema, and so does what becomes of it.
      const isPointer = thing === "limit" && "schema" in row;
      const kind = isPointer ? "limit-row-removed" : `${thing}-removed`;
      walk.report({ kind, path: [...path, ...way], side: "old", name });
    } else if (!same(row, there.row)) compare(walk, row, there.row, [...path, ...there.way]);
  }
  for (const [name, { way }] of after) {
    if (!before.has(name))
      walk.report({ kind: `${thing}-added`, path: [...path, ...way], side: "new", name });
  }
  // Rows that are known by their keys have no order.
  const inOrder = (rows: Rows, others: Rows): string[] =>
    [...rows]
      .filter(([name, { way }]) => others.has(name) && typeof way.at(-1) === "number")
      .map(([name]) => name);
  const [kept, now] = [inOrder(before, after), inOrder(after, before)];
  if (!same(kept, now)) walk.report({ kind: "order-changed", path, side: "new", name: String(path[0]) });
}

function compareError(walk: Walk, before: Node, after: Node, path: Path): void {
  for (const key of ["status", "type", "retry"]) {
    if (!same(before[key], after[key])) reportKey(walk, `error-${key}-changed`, before, after, path, key);
  }
  compareNames(walk, before, after, [...path, "operations"], "error-operation");
  compareTexts(walk, before, after, path, ["status", "type", "retry", "operations"]);
}

/** The number counts, wherever it is written. Where a schema holds it, the difference stands there. */
function compareLimit(walk: Walk, before: Node, after: Node, path: Path): void {
  const name = String(path.at(-1));
  const [old, young] = [numberOf(walk.before, name, before), numberOf(walk.after, name, after)];
  const isInSchema = "schema" in before && before.schema === after.schema && before.keyword === after.keyword;
  if (old !== young && !isInSchema) {
    const kind = old !== undefined && young !== undefined && young > old ? "limit-raised" : "limit-lowered";
    walk.report({ kind, path: [...path, "value"], side: "new", name, before: old, after: young });
  } else if (
    !isInSchema &&
    !same([before.value, before.schema, before.keyword], [after.value, after.schema, after.keyword])
  ) {
    walk.report({ kind: "reference-changed", path, side: "new", name });
  }
  if (!same(before.unit, after.unit)) reportKey(walk, "limit-unit-changed", before, after, path, "unit");
  compareTexts(walk, before, after, path, ["value", "schema", "keyword", "unit"]);
}

function numberOf(document: Node, name: string, row: Node): number | undefined {
  try {
    return limitOf(document as unknown as OpenApiDocument, name, row as unknown as LimitRow);
  } catch {
    return undefined;
  }
}

function compareRequirement(walk: Walk, before: Node, after: Node, path: Path): void {
  compareNames(walk, before, after, [...path, "operations"], "promise-operation");
  compareTexts(walk, before, after, path, ["operations"], "promise-reworded");
}

function compareOpenPlace(walk: Walk, before: Node, after: Node, path: Path): void {
  compareTexts(walk, before, after, path, [], "open-place-reworded");
}

/** Compares what is left of a row: sentences for people. */
export function compareTexts(
  walk: Walk,
  before: Node,
  after: Node,
  path: Path,
  known: string[] = [],
  kind = "wording-changed",
): void {
  for (const key of namesOf(before, after)) {
    if (known.includes(key) || same(before[key], after[key])) continue;
    const isMark = key === "x-encodes" || key === "x-leaves-unspecified";
    reportKey(walk, isMark ? "mark-changed" : kind, before, after, path, key);
  }
}

function compareSimulator(walk: Walk): void {
  const [before, after] = [nodeOf(walk.before["x-simulator"]), nodeOf(walk.after["x-simulator"])];
  const rowsOf = (simulator: Node): Rows =>
    new Map(
      listOf(simulator.recipients).map((row, index) => [
        textOf(nodeOf(row).localPart),
        { row: nodeOf(row), way: [index] },
      ]),
    );
  if (!same(before.domain, after.domain))
    reportKey(walk, "simulator-changed", before, after, ["x-simulator"], "domain");
  const path = ["x-simulator", "recipients"];
  compareRows(
    walk,
    rowsOf(before),
    rowsOf(after),
    path,
    "simulator-recipient",
    (inner, one, other, where) => {
      const isSettled = listOf(one.states).length === 0;
      if (!same(one.states, other.states))
        reportKey(inner, isSettled ? "simulator-settled" : "simulator-changed", one, other, where, "states");
      compareTexts(inner, one, other, where, ["states", "localPart"]);
    },
  );
  compareRest(walk, before, after, ["x-simulator"], new Set(["domain", "recipients"]));
}

function compareVersioning(walk: Walk): void {
  const [before, after] = [nodeOf(walk.before["x-versioning"]), nodeOf(walk.after["x-versioning"])];
  const path = ["x-versioning"];
  for (const key of ["version", "prefix"]) {
    if (!same(before[key], after[key])) reportKey(walk, "version-changed", before, after, path, key);
  }
  compareNames(walk, before, after, [...path, "added"], "liberty");
  compareNames(walk, before, after, [...path, "never"], "assurance");
  compareTexts(walk, before, after, path, ["version", "prefix", "added", "never"]);
}

/** Whether a table of the root is one of rows. */
export const isTable = (value: unknown): boolean => isNode(value) || Array.isArray(value);
