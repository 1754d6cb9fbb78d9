import { same } from "../../../scripts/diff/change.ts";
import { isNode, type Node, nodeOf } from "../../../scripts/document/values.ts";
import { type OasdiffChange, reduced, runOasdiff } from "./oasdiff.ts";

/** The number of pairs for one process. */
const size = 40;

/**
 * What oasdiff finds between the two documents of each pair. Starting it takes longer than comparing, so pairs are merged
 * into one document, each with paths and component names of its own, which tell the findings apart again.
 */
export async function changesOfAll(pairs: readonly [Node, Node][]): Promise<OasdiffChange[][]> {
  const read = pairs.map((pair, index) => ({ index, pair: reduced(...pair) }));
  const shared = rootOf(read[0]?.pair[0] ?? {});
  const isPlain = ({ pair }: Numbered): boolean => pair.every((document) => same(rootOf(document), shared));
  const groups = chunks(read.filter(isPlain)).map(groupChanges);
  const single = read
    .filter((one) => !isPlain(one))
    .map(async ({ index, pair }) => (await runOasdiff(...pair)).map((change) => ({ index, change })));
  const found = (await Promise.all([...groups, ...single])).flat();
  return pairs.map((_, index) => found.filter((one) => one.index === index).map(({ change }) => change));
}

interface Numbered {
  index: number;
  pair: [Node, Node];
}

const chunks = <Item>(items: Item[]): Item[][] =>
  items.length === 0 ? [] : [items.slice(0, size), ...chunks(items.slice(size))];

/** What merged documents share: everything but paths and components. */
function rootOf({ paths: _, components, ...rest }: Node): Node {
  return { ...rest, securitySchemes: nodeOf(components).securitySchemes };
}

async function groupChanges(group: Numbered[]): Promise<{ index: number; change: OasdiffChange }[]> {
  const [before, after] = [0, 1].map((side) =>
    merged(group.map(({ index, pair }) => ({ index, document: pair[side] ?? {} }))),
  ) as [Node, Node];
  return (await runOasdiff(before, after)).map((change) => {
    const [, byPath] = /^\/pair(\d+)\//.exec(change.path ?? "") ?? [];
    const [, byName] = /__pair(\d+)/.exec(change.text) ?? [];
    const index = Number(byPath ?? byName);
    if (Number.isNaN(index)) throw new Error(`oasdiff names no pair: ${change.text}`);
    const path = change.path?.replace(/^\/pair\d+/, "");
    const text = change.text.replaceAll(/__pair\d+/g, "").replaceAll(/\/pair\d+(?=\/)/g, "");
    return { index, change: { ...change, text, ...(path === undefined ? {} : { path }) } };
  });
}

/** Merges documents into one. */
function merged(documents: { index: number; document: Node }[]): Node {
  const paths: Node = {};
  const components: Record<string, Node> = {};
  for (const { index, document } of documents) {
    const own = renamed(document, index);
    for (const [path, item] of Object.entries(nodeOf(own.paths))) paths[`/pair${index}${path}`] = item;
    for (const [kind, parts] of Object.entries(nodeOf(own.components))) {
      components[kind] ??= {};
      for (const [name, part] of Object.entries(nodeOf(parts)))
        components[kind][kind === "securitySchemes" ? name : `${name}__pair${index}`] = part;
    }
  }
  return { ...documents[0]?.document, paths, components };
}

function renamed(value: Node, index: number): Node {
  const rename = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(rename);
    if (!isNode(part)) return part;
    return Object.fromEntries(
      Object.entries(part).map(([key, inner]) => [
        key,
        key === "$ref" && typeof inner === "string" ? `${inner}__pair${index}` : rename(inner),
      ]),
    );
  };
  return rename(value) as Node;
}
