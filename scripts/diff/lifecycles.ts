import { listOf, type Node, nodeOf, type Path, textOf, textsOf } from "../document/values.ts";
import { compareNames } from "./answers.ts";
import { canonical, namesOf, same, type Walk } from "./found.ts";
import { compareTexts } from "./tables.ts";
import { reportKey } from "./wording.ts";

/** Compares the lives of messages and memberships: their states, and what leads from one to the other. */
export function compareLifecycles(walk: Walk): void {
  const [before, after] = [nodeOf(walk.before["x-lifecycles"]), nodeOf(walk.after["x-lifecycles"])];
  for (const name of namesOf(before, after)) {
    const path = ["x-lifecycles", name];
    if (!(name in after)) walk.report({ kind: "lifecycle-removed", path, side: "old", name });
    else if (!(name in before)) walk.report({ kind: "lifecycle-added", path, side: "new", name });
    else compareLifecycle(walk, nodeOf(before[name]), nodeOf(after[name]), path);
  }
}

function compareLifecycle(walk: Walk, before: Node, after: Node, path: Path): void {
  compareNames(walk, before, after, [...path, "unspecified"], "open-state");
  compareTransitions(walk, before, after, [...path, "transitions"]);
  compareTexts(walk, before, after, path, ["transitions", "unspecified"]);
}

/** Pairs transitions first where they are the same, then by what starts them and where from, then by what starts them. */
function compareTransitions(walk: Walk, before: Node, after: Node, path: Path): void {
  const old = listOf(before.transitions).map(nodeOf);
  const young = listOf(after.transitions).map(nodeOf);
  const pairs = new Map<number, number>();
  const taken = new Set<number>();
  const keys = [
    canonical,
    (row: Node) => canonical([row.on, row.from, row.when, row.error, row.to]),
    (row: Node) => canonical([row.on, row.from, row.when]),
    (row: Node) => canonical([row.on, row.from]),
    (row: Node) => canonical([row.on, row.to, row.error]),
    (row: Node) => canonical([row.from, row.to, row.when]),
  ];
  for (const key of keys) {
    for (const [index, row] of old.entries()) {
      if (pairs.has(index)) continue;
      const found = young.findIndex((other, place) => !taken.has(place) && key(other) === key(row));
      if (found < 0) continue;
      pairs.set(index, found);
      taken.add(found);
    }
  }
  for (const [index, row] of old.entries()) {
    const other = pairs.get(index);
    const name = textOf(row.on);
    if (other === undefined)
      walk.report({ kind: "transition-removed", path: [...path, index], side: "old", name });
    else compareTransition(walk, row, young[other] ?? {}, [...path, other], openStates(before));
  }
  for (const [index, row] of young.entries()) {
    if (taken.has(index)) continue;
    // What was not said of a state may be said now.
    const from = textsOf(row.from);
    const isOpen = from.length > 0 && from.every((state) => openStates(before).includes(state));
    const kind = isOpen ? "transition-settled" : "transition-added";
    walk.report({ kind, path: [...path, index], side: "new", name: textOf(row.on) });
  }
  const order = [...pairs.values()];
  if (
    !same(
      order,
      order.toSorted((one, other) => one - other),
    )
  )
    walk.report({ kind: "order-changed", path, side: "new", name: "transitions" });
}

const openStates = (lifecycle: Node): string[] => textsOf(lifecycle.unspecified);

function compareTransition(walk: Walk, before: Node, after: Node, path: Path, open: string[]): void {
  if (same(before, after)) return;
  for (const key of ["on", "to", "error"]) {
    // Where no state followed, or none was told, one may be told now.
    const isSettled =
      key === "to" && before.to === null && textsOf(before["x-leaves-unspecified"]).length > 0;
    const kind = isSettled ? "transition-settled" : "transition-changed";
    if (!same(before[key], after[key])) reportKey(walk, kind, before, after, path, key);
  }
  const [old, young] = [textsOf(before.from ?? []), textsOf(after.from ?? [])];
  if (!same(before.from, after.from)) {
    const isKept = old.every((state) => young.includes(state)) && before.from !== null && after.from !== null;
    const isOpen = isKept && young.every((state) => old.includes(state) || open.includes(state));
    const kind = isOpen ? "transition-settled" : "transition-changed";
    reportKey(
      walk,
      old.length === young.length && isKept ? "order-changed" : kind,
      before,
      after,
      path,
      "from",
    );
  }
  compareTexts(walk, before, after, path, ["on", "to", "error", "from"]);
}
