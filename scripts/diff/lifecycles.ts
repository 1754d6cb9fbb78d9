import { listOf, type Node, nodeOf, type Path, rowsOf, textOf, textsOf } from "../document/values.ts";
import { compareNames, matchItems, type Pair, reportItem, reportKey, same } from "./change.ts";
import { compareRest } from "./rest.ts";

/** Compares two lifecycles: their states and transitions. */
export function compareLifecycle(pair: Pair): void {
  compareNames(pair, "unspecified", "unspecified-state");
  compareTransitions(pair);
  compareRecords(pair);
  compareRest(pair, ["transitions", "unspecified", "records"], "wording-changed");
}

/** Compares the states in which properties are set or null, state by state. */
function compareRecords(pair: Pair): void {
  const [old, now] = [recordStates(pair.before), recordStates(pair.after)];
  for (const [name, path] of old)
    if (!now.has(name)) reportItem(pair, path, "base", "state-property-removed", name);
  for (const [name, path] of now)
    if (!old.has(name)) reportItem(pair, path, "revision", "state-property-added", name);
}

/** Such as `Message.bounce null if status is sent`, with its path. */
const recordStates = ({ records }: Node): Map<string, Path> =>
  new Map(
    rowsOf(records).flatMap(([at, record]) =>
      rowsOf(record.properties).flatMap(([index, { property, set, unset, unless }]) => {
        const name = `${textOf(record.schema).split("/").at(-1)}.${textOf(property)}`;
        const exceptions = unless === undefined ? "" : ` unless ${JSON.stringify(unless)}`;
        return Object.entries({ set, null: unset }).flatMap(([value, states]) =>
          textsOf(states).map((state): [string, Path] => [
            `${name} ${value} if ${textOf(record.state)} is ${state}${exceptions}`,
            ["records", at, "properties", index],
          ]),
        );
      }),
    ),
  );

function compareTransitions(pair: Pair): void {
  const [old, now] = [pair.before, pair.after].map((one) => listOf(one.transitions).map(nodeOf)) as [
    Node[],
    Node[],
  ];
  const unspecified = textsOf(pair.before.unspecified);
  const matches = matchTransitions(old, now);
  for (const [index, before] of old.entries()) {
    const at = matches.get(index);
    if (at === undefined)
      reportItem(pair, ["transitions", index], "base", "transition-removed", textOf(before.on));
    else {
      const path = [...pair.path, "transitions", at];
      compareTransition({ ...pair, before, after: now[at] ?? {}, path }, unspecified);
    }
  }
  const kept = [...matches.values()];
  for (const [index, row] of now.entries()) {
    if (kept.includes(index)) continue;
    const from = textsOf(row.from);
    const isSpecified = from.length > 0 && from.every((state) => unspecified.includes(state));
    const kind = isSpecified ? "transition-specified" : "transition-added";
    reportItem(pair, ["transitions", index], "revision", kind, textOf(row.on));
  }
  const inOrder = [...matches].sort(([one], [other]) => one - other).map(([, at]) => at);
  if (inOrder.some((at, index) => at < (inOrder[index - 1] ?? 0)))
    reportKey(pair, "transitions", "order-changed", { document: "revision" });
}

/** Which keys two transitions must have in common to be the same one; a test further down is tried later. */
const identities = [
  ["on", "from", "when", "error", "to"],
  ["on", "from", "when"],
  ["on", "from"],
  ["on", "to", "error"],
  ["from", "to", "when"],
];

/** Which transition of the base is which of the revision, from equal ones to those that have only some values in common. */
const matchTransitions = (old: Node[], now: Node[]): Map<number, number> =>
  matchItems(old, now, [
    same,
    ...identities.map((keys) => (one: Node, other: Node) => keys.every((key) => same(one[key], other[key]))),
  ]);

function compareTransition(pair: Pair, unspecified: string[]): void {
  const { before, after } = pair;
  const isOpen = before.to === null && textsOf(before["x-leaves-unspecified"]).length > 0;
  for (const key of ["on", "to", "error"].filter((one) => !same(before[one], after[one])))
    reportKey(pair, key, key === "to" && isOpen ? "transition-specified" : "transition-changed");
  if (!same(before.from, after.from)) {
    const [old, now] = [textsOf(before.from ?? []), textsOf(after.from ?? [])];
    const isKept = before.from !== null && after.from !== null && old.every((state) => now.includes(state));
    const isSpecified = now.every((state) => old.includes(state) || unspecified.includes(state));
    const plain = isKept && isSpecified ? "transition-specified" : "transition-changed";
    reportKey(pair, "from", isKept && old.length === now.length ? "order-changed" : plain);
  }
  compareRest(pair, ["on", "to", "error", "from"], "wording-changed");
}
