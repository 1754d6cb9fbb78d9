import type { LimitRow } from "../../generated/schema-types.ts";
import { limitOf } from "../document/limits.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { listOf, type Node, nodeOf, type Path, rowsOf, textOf, textsOf } from "../document/values.ts";
import { matchItems, type Pair, same } from "./change.ts";

/** The `x-` tables that are compared row by row. */
export const tableKeys =
  "x-errors x-limits x-abilities x-requirements x-unspecified x-simulator x-versioning".split(" ");

export function compareTables(root: Pair): void {
  compareRows(root, "x-errors", listed, "error", compareError);
  compareRows(root, "x-limits", named, "limit", compareLimit);
  compareRows(root, "x-abilities", named, "ability", (row) => row.compareRest([], wording));
  compareRows(root, "x-requirements", byTopic, "requirement", (row) => {
    row.compareNames("operations", "requirement-operation");
    row.compareRest(["operations"], { fallback: "requirement-reworded" });
  });
  compareRows(root, "x-unspecified", listed, "unspecified", (row) =>
    row.compareRest([], { fallback: "unspecified-reworded" }),
  );
  compareSimulator(root.child("x-simulator"));
  compareVersioning(root.child("x-versioning"));
}

/** The kind of a key of a row that has no other. */
const wording = { fallback: "wording-changed" };

/** Rows by their id, each with its path below the table. */
type Rows = Map<string, { row: Node; steps: Path }>;

const named = (table: unknown): Rows =>
  new Map(Object.entries(nodeOf(table)).map(([name, row]) => [name, { row: nodeOf(row), steps: [name] }]));

export const listed = (table: unknown, id = "id", steps: Path = []): Rows =>
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

/** @param thing the beginning of the kinds of a row that is added or removed, or both kinds */
export function compareRows(
  pair: Pair,
  key: string,
  rowsOf: (table: unknown) => Rows,
  thing: string | { added: string; removed: string },
  compare: (row: Pair) => void,
): void {
  const kinds = typeof thing === "string" ? { added: `${thing}-added`, removed: `${thing}-removed` } : thing;
  const [old, now] = [rowsOf(pair.before[key]), rowsOf(pair.after[key])];
  for (const [name, { row, steps }] of old) {
    const other = now.get(name);
    // A limit in a schema is compared there.
    const isInSchema = thing === "limit" && "keyword" in row;
    if (other === undefined)
      pair.reportItem([key, ...steps], "base", isInSchema ? "limit-row-removed" : kinds.removed, name);
    else if (!same(row, other.row))
      compare(pair.with({ before: row, after: other.row, path: [...pair.path, key, ...other.steps] }));
  }
  for (const [name, { steps }] of now)
    if (!old.has(name)) pair.reportItem([key, ...steps], "revision", kinds.added, name);
  const inOrder = (rows: Rows, others: Rows): string[] =>
    [...rows.keys()].filter((name) => others.has(name) && rowsOf !== named && rowsOf !== recordStates);
  if (!same(inOrder(old, now), inOrder(now, old)))
    pair.reportKey(key, "order-changed", { document: "revision" });
}

function compareError(row: Pair): void {
  row.compareNames("operations", "error-operation");
  row.compareRest(["operations"], {
    status: "error-status-code-changed",
    type: "error-type-changed",
    retry: "error-retry-changed",
    namesFields: "error-fields-changed",
    ...wording,
  });
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
    const details = { document: "revision", name, before: old, after: now } as const;
    row.reportKey("value", isRaised ? "limit-raised" : "limit-lowered", details);
  } else if (!isInSchema && !isSame(["value", "schema", "keyword"]))
    row.reportItem([], "revision", "reference-changed", name);
  row.compareRest(["value", "schema", "keyword"], { unit: "limit-unit-changed", ...wording });
}

function numberOf(document: Node, name: string, row: Node): number | undefined {
  try {
    return limitOf(document as unknown as OpenApiDocument, name, row as unknown as LimitRow);
  } catch {
    return undefined;
  }
}

function compareSimulator(pair: Pair): void {
  const recipients = (table: unknown): Rows => listed(table, "localPart");
  compareRows(pair, "recipients", recipients, "simulator-recipient", (row) => {
    const wasUnspecified = listOf(row.before.states).length === 0;
    row.compareRest([], { states: wasUnspecified ? "simulator-specified" : "simulator-changed", ...wording });
  });
  pair.compareRest(["recipients"], { domain: "simulator-changed" });
}

function compareVersioning(pair: Pair): void {
  pair.compareNames("added", "version-addition");
  pair.compareNames("never", "version-guarantee");
  pair.compareRest(["added", "never"], { version: "version-changed", prefix: "version-changed", ...wording });
}

export function compareLifecycle(pair: Pair): void {
  pair.compareNames("unspecified", "unspecified-state");
  compareTransitions(pair);
  // By the states in which properties are set or null.
  compareRows(pair, "records", recordStates, "state-property", () => {});
  pair.compareRest(["transitions", "unspecified", "records"], wording);
}

/** Such as `Message.bounce null if status is sent`. */
const recordStates = (records: unknown): Rows =>
  new Map(
    rowsOf(records).flatMap(([at, record]) =>
      rowsOf(record.properties).flatMap(([index, { property, set, unset, unless }]) => {
        const name = `${textOf(record.schema).split("/").at(-1)}.${textOf(property)}`;
        const exceptions = unless === undefined ? "" : ` unless ${JSON.stringify(unless)}`;
        return Object.entries({ set, null: unset }).flatMap(([value, states]) =>
          textsOf(states).map((state) => [
            `${name} ${value} if ${textOf(record.state)} is ${state}${exceptions}`,
            { row: {}, steps: [at, "properties", index] },
          ]),
        );
      }),
    ),
  );

function compareTransitions(pair: Pair): void {
  const transitions = pair.child("transitions");
  const [old, now] = [pair.before, pair.after].map((one) => listOf(one.transitions).map(nodeOf));
  const unspecified = textsOf(pair.before.unspecified);
  // From equal ones to those that have only some values in common.
  const { kept, removed, added, isMoved } = matchItems(old ?? [], now ?? [], [
    (one) => [one],
    ...identities.map((keys) => (one: Node) => [Object.fromEntries(keys.map((key) => [key, one[key]]))]),
  ]);
  for (const [index, at] of kept) {
    const path = [...transitions.path, at];
    compareTransition(pair.with({ before: old?.[index] ?? {}, after: now?.[at] ?? {}, path }), unspecified);
  }
  for (const index of removed)
    transitions.reportItem([index], "base", "transition-removed", textOf(old?.[index]?.on));
  for (const at of added) {
    const from = textsOf(now?.[at]?.from);
    const isSpecified = from.length > 0 && from.every((state) => unspecified.includes(state));
    const kind = isSpecified ? "transition-specified" : "transition-added";
    transitions.reportItem([at], "revision", kind, textOf(now?.[at]?.on));
  }
  if (isMoved) pair.reportKey("transitions", "order-changed", { document: "revision" });
}

/** Which keys two transitions must have in common to be the same one; a test further down is tried later. */
const identities = [
  ["on", "from", "when", "error", "to"],
  ["on", "from", "when"],
  ["on", "from"],
  ["on", "to", "error"],
  ["from", "to", "when"],
];

function compareTransition(pair: Pair, unspecified: string[]): void {
  const { before, after } = pair;
  const isOpen = before.to === null && textsOf(before["x-leaves-unspecified"]).length > 0;
  const [old, now] = [textsOf(before.from ?? []), textsOf(after.from ?? [])];
  const isKept = before.from !== null && after.from !== null && old.every((state) => now.includes(state));
  const isSpecified = now.every((state) => old.includes(state) || unspecified.includes(state));
  const plain = isKept && isSpecified ? "transition-specified" : "transition-changed";
  pair.compareRest([], {
    on: "transition-changed",
    error: "transition-changed",
    to: isOpen ? "transition-specified" : "transition-changed",
    from: isKept && old.length === now.length ? "order-changed" : plain,
    ...wording,
  });
}
