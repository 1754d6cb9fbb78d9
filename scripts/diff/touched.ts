import { isNode, type Node, nodeOf } from "../document/values.ts";
import { namesOf, same } from "./found.ts";
import { isMethod } from "./usage.ts";

/** Whether two parts differ, or refer to something that does. */
type Differs = (one: unknown, other: unknown) => boolean;

/**
 * Both documents without the addresses, bodies and answers that are the same in both, down to the last part that they
 * refer to. Whoever compares part by part finds the same in them, and has much less to read.
 */
export function touchedOnly(before: Node, after: Node): [Node, Node] {
  const rest = namesOf(before, after).filter((key) => key !== "paths" && key !== "components");
  if (rest.some((key) => !same(before[key], after[key]))) return [before, after];
  const changed = changedComponents(before, after);
  const affected = reaching(changed, [before, after]);
  const differs: Differs = (one, other) =>
    !same(one, other) || references(one).some((reference) => affected.has(reference));
  const paths = [touchedPaths(before, after, differs), touchedPaths(after, before, differs)] as const;
  const kept = new Set([
    ...reached(before, [paths[0], ...changed]),
    ...reached(after, [paths[1], ...changed]),
  ]);
  return [
    { ...before, paths: paths[0], components: only(before.components, kept) },
    { ...after, paths: paths[1], components: only(after.components, kept) },
  ];
}

/** The components that are not the same in both, as references. */
function changedComponents(before: Node, after: Node): string[] {
  const [old, young] = [nodeOf(before.components), nodeOf(after.components)];
  return namesOf(old, young).flatMap((kind) => {
    const [one, other] = [nodeOf(old[kind]), nodeOf(young[kind])];
    const names = namesOf(one, other).filter((name) => !same(one[name], other[name]));
    return names.map((name) => `#/components/${kind}/${name}`);
  });
}

const references = (value: unknown): string[] =>
  (JSON.stringify(value ?? null).match(/"#\/components\/[^"]+"/g) ?? []).map((text) => text.slice(1, -1));

function componentsOf(document: Node): [reference: string, part: unknown][] {
  return Object.entries(nodeOf(document.components)).flatMap(([kind, parts]) =>
    Object.entries(nodeOf(parts)).map(([name, part]): [string, unknown] => [
      `#/components/${kind}/${name}`,
      part,
    ]),
  );
}

/** The changed components, and those that refer to one, directly or through others. */
function reaching(changed: readonly string[], documents: readonly Node[]): Set<string> {
  const all = documents
    .flatMap(componentsOf)
    .map(([reference, part]) => ({ reference, inner: references(part) }));
  const affected = new Set(changed);
  for (let size = -1; size !== affected.size; ) {
    size = affected.size;
    for (const { reference, inner } of all)
      if (inner.some((one) => affected.has(one))) affected.add(reference);
  }
  return affected;
}

/** The components that a value refers to, directly or through others. */
function reached(document: Node, value: unknown): Set<string> {
  const parts = new Map(componentsOf(document));
  const found = new Set<string>();
  const follow = (inner: unknown): void => {
    for (const reference of references(inner)) {
      if (found.has(reference)) continue;
      found.add(reference);
      follow(parts.get(reference));
    }
  };
  follow(value);
  return found;
}

function only(components: unknown, kept: ReadonlySet<string>): Node {
  const kinds = Object.entries(nodeOf(components)).map(([kind, parts]) => {
    const isKept = (name: string): boolean =>
      kind === "securitySchemes" || kept.has(`#/components/${kind}/${name}`);
    return [
      kind,
      Object.fromEntries(Object.entries(nodeOf(parts)).filter(([name]) => isKept(name))),
    ] as const;
  });
  return Object.fromEntries(kinds);
}

function touchedPaths(document: Node, other: Node, differs: Differs): Node {
  const there = nodeOf(other.paths);
  const touched = Object.entries(nodeOf(document.paths)).filter(([address, item]) =>
    differs(item, there[address]),
  );
  return Object.fromEntries(
    touched.map(([address, item]) => [address, trimmedItem(nodeOf(item), nodeOf(there[address]), differs)]),
  );
}

/** An address with all its methods: whether one of several goes is not the same as whether the address goes. */
function trimmedItem(item: Node, other: Node, differs: Differs): Node {
  const entries = Object.entries(item).map(([key, value]) => {
    const isBoth = isMethod(key) && isNode(value) && isNode(other[key]);
    return [key, isBoth ? trimmed(value, nodeOf(other[key]), differs) : value] as const;
  });
  return Object.fromEntries(entries);
}

function trimmed(operation: Node, other: Node, differs: Differs): Node {
  const { requestBody, ...rest } = operation;
  const [ours, theirs] = [nodeOf(operation.responses), nodeOf(other.responses)];
  // An operation must have an answer, and both the same one where nothing is to be found.
  const [common] = Object.keys(ours)
    .filter((status) => status in theirs)
    .sort();
  const left = Object.entries(ours).filter(
    ([status, answer]) => status === common || differs(answer, theirs[status]),
  );
  return {
    ...rest,
    ...(differs(requestBody, other.requestBody) ? { requestBody } : {}),
    responses: Object.fromEntries(left),
  };
}
