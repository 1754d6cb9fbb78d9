import { isNode, type Node, nodeOf, textOf } from "../../openapi/lint/document/values.ts";
import { namesOf, same } from "./found.ts";

/** What stands at each address, and the components that it reaches (`schemas/Address`), by address. */
type Reaches = Map<string, { item: unknown; names: ReadonlySet<string> }>;

/**
 * Both documents without the addresses that are the same in both, down to the last part that they refer to. Whoever
 * compares operation by operation finds the same in them, and has less to read.
 */
export function touchedOnly(before: Node, after: Node): [Node, Node] {
  const rest = namesOf(before, after).filter((key) => key !== "paths" && key !== "components");
  if (rest.some((key) => !same(before[key], after[key]))) return [before, after];
  const changed = changedComponents(before, after);
  const [old, young] = [reachesOf(before), reachesOf(after)];
  const touched = new Set(
    [...old.keys(), ...young.keys()].filter((address) => {
      const [one, other] = [old.get(address), young.get(address)];
      const names = [...(one?.names ?? []), ...(other?.names ?? [])];
      return !same(one?.item, other?.item) || names.some((name) => changed.has(name));
    }),
  );
  const kept = new Set([
    ...keptComponents(before, touched, changed),
    ...keptComponents(after, touched, changed),
  ]);
  return [withOnly(before, touched, kept), withOnly(after, touched, kept)];
}

function changedComponents(before: Node, after: Node): Set<string> {
  const [old, young] = [nodeOf(before.components), nodeOf(after.components)];
  const all = namesOf(old, young).flatMap((kind) => {
    const [one, other] = [nodeOf(old[kind]), nodeOf(young[kind])];
    const names = namesOf(one, other).filter((name) => !same(one[name], other[name]));
    return names.map((name) => `${kind}/${name}`);
  });
  return new Set(all);
}

const reachesOf = (document: Node): Reaches =>
  new Map(
    Object.entries(nodeOf(document.paths)).map(([address, item]) => [
      address,
      { item, names: reached(document, item) },
    ]),
  );

/** The components that a value refers to, directly or through others. */
function reached(document: Node, value: unknown, names = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const item of value) reached(document, item, names);
  if (!isNode(value)) return names;
  const [, kind = "", name = ""] = /^#\/components\/([^/]+)\/([^/]+)/.exec(textOf(value.$ref)) ?? [];
  if (kind !== "" && !names.has(`${kind}/${name}`)) {
    names.add(`${kind}/${name}`);
    reached(document, nodeOf(nodeOf(document.components)[kind])[name], names);
  }
  for (const item of Object.values(value)) reached(document, item, names);
  return names;
}

/** The components that are left: what differs, and what it or an address that is left reaches, on either side. */
function keptComponents(
  document: Node,
  addresses: ReadonlySet<string>,
  changed: ReadonlySet<string>,
): Set<string> {
  const items = Object.entries(nodeOf(document.paths)).filter(([address]) => addresses.has(address));
  const names = new Set<string>();
  reached(
    document,
    items.map(([, item]) => item),
    names,
  );
  for (const name of changed) reached(document, { $ref: `#/components/${name}` }, names);
  return names;
}

function withOnly(document: Node, addresses: ReadonlySet<string>, kept: ReadonlySet<string>): Node {
  const items = Object.entries(nodeOf(document.paths)).filter(([address]) => addresses.has(address));
  const components = Object.entries(nodeOf(document.components)).map(([kind, all]) => {
    const isKept = (name: string): boolean => kind === "securitySchemes" || kept.has(`${kind}/${name}`);
    return [kind, Object.fromEntries(Object.entries(nodeOf(all)).filter(([name]) => isKept(name)))] as const;
  });
  return { ...document, paths: Object.fromEntries(items), components: Object.fromEntries(components) };
}
