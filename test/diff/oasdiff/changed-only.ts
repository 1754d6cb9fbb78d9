import { namesOf, same } from "../../../scripts/diff/change.ts";
import { isMethod } from "../../../scripts/document/operations.ts";
import { isNode, type Node, nodeOf } from "../../../scripts/document/values.ts";

/** Whether two nodes differ, or refer to something that does. */
type Differs = (one: unknown, other: unknown) => boolean;

/** Both documents without the paths, bodies and responses that are the same in both, including all that they refer to. */
export function changedOnly(base: Node, revision: Node): [Node, Node] {
  const rest = namesOf(base, revision).filter((key) => key !== "paths" && key !== "components");
  if (rest.some((key) => !same(base[key], revision[key]))) return [base, revision];
  const changed = changedComponents(base, revision);
  const affected = referringTo(changed, [base, revision]);
  const differs: Differs = (one, other) =>
    !same(one, other) || references(one).some((reference) => affected.has(reference));
  const paths = [changedPaths(base, revision, differs), changedPaths(revision, base, differs)] as const;
  const kept = new Set([
    ...reachable(base, [paths[0], ...changed]),
    ...reachable(revision, [paths[1], ...changed]),
  ]);
  return [
    { ...base, paths: paths[0], components: only(base.components, kept) },
    { ...revision, paths: paths[1], components: only(revision.components, kept) },
  ];
}

/** The components that are not the same in both, as references. */
function changedComponents(base: Node, revision: Node): string[] {
  const [before, after] = [nodeOf(base.components), nodeOf(revision.components)];
  return namesOf(before, after).flatMap((kind) => {
    const [one, other] = [nodeOf(before[kind]), nodeOf(after[kind])];
    const names = namesOf(one, other).filter((name) => !same(one[name], other[name]));
    return names.map((name) => `#/components/${kind}/${name}`);
  });
}

const references = (value: unknown): string[] =>
  (JSON.stringify(value ?? null).match(/"#\/components\/[^"]+"/g) ?? []).map((text) => text.slice(1, -1));

const componentsOf = (document: Node): [reference: string, component: unknown][] =>
  Object.entries(nodeOf(document.components)).flatMap(([kind, all]) =>
    Object.entries(nodeOf(all)).map(([name, one]): [string, unknown] => [
      `#/components/${kind}/${name}`,
      one,
    ]),
  );

/** The changed components, and those that refer to one, directly or not. */
function referringTo(changed: readonly string[], documents: readonly Node[]): Set<string> {
  const all = documents
    .flatMap(componentsOf)
    .map(([reference, component]) => ({ reference, inner: references(component) }));
  const affected = new Set(changed);
  for (let size = -1; size !== affected.size; ) {
    size = affected.size;
    for (const { reference, inner } of all)
      if (inner.some((one) => affected.has(one))) affected.add(reference);
  }
  return affected;
}

/** The components that a value refers to, directly or not. */
function reachable(document: Node, value: unknown): Set<string> {
  const components = new Map(componentsOf(document));
  const found = new Set<string>();
  const follow = (inner: unknown): void => {
    for (const reference of references(inner)) {
      if (found.has(reference)) continue;
      found.add(reference);
      follow(components.get(reference));
    }
  };
  follow(value);
  return found;
}

const only = (components: unknown, kept: ReadonlySet<string>): Node =>
  Object.fromEntries(
    Object.entries(nodeOf(components)).map(([kind, all]) => {
      const isKept = (name: string): boolean =>
        kind === "securitySchemes" || kept.has(`#/components/${kind}/${name}`);
      return [kind, Object.fromEntries(Object.entries(nodeOf(all)).filter(([name]) => isKept(name)))];
    }),
  );

function changedPaths(document: Node, other: Node, differs: Differs): Node {
  const others = nodeOf(other.paths);
  const changed = Object.entries(nodeOf(document.paths)).filter(([path, item]) =>
    differs(item, others[path]),
  );
  return Object.fromEntries(
    changed.map(([path, item]) => [path, changedItem(nodeOf(item), nodeOf(others[path]), differs)]),
  );
}

/** A path item keeps all its methods: removing one of several is not the same as removing the path. */
function changedItem(item: Node, other: Node, differs: Differs): Node {
  const entries = Object.entries(item).map(([key, value]) => {
    const isBoth = isMethod(key) && isNode(value) && isNode(other[key]);
    return [key, isBoth ? changedOperation(value, nodeOf(other[key]), differs) : value] as const;
  });
  return Object.fromEntries(entries);
}

function changedOperation(operation: Node, other: Node, differs: Differs): Node {
  const { requestBody, ...rest } = operation;
  const [responses, others] = [nodeOf(operation.responses), nodeOf(other.responses)];
  // An operation must have a response, and both documents the same one.
  const [common] = Object.keys(responses)
    .filter((status) => status in others)
    .sort();
  const kept = Object.entries(responses).filter(
    ([status, response]) => status === common || differs(response, others[status]),
  );
  return {
    ...rest,
    ...(differs(requestBody, other.requestBody) ? { requestBody } : {}),
    responses: Object.fromEntries(kept),
  };
}
