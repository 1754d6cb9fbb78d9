import { existsSync } from "node:fs";
import { dirname, join, parse, resolve } from "node:path";
import { isAlias, isMap, isScalar, isSeq, type Node, type YAMLMap } from "yaml";
import { readText } from "../../lib/files.ts";
import { type Position, parseYaml, type YamlSource } from "../../lib/yaml-source.ts";
import { displayPath, rootDocument } from "../common/paths.ts";
import { pathOf } from "./json-pointer.ts";

/** A position in the sources: the file as messages name it, line and column from 1. */
export interface SourcePlace extends Position {
  file: string;
}

interface Source extends YamlSource {
  file: string;
}

/** A node of a source file, with the offset of its key or, in a list, of the node. */
interface Found {
  source: Source;
  node: unknown;
  offset: number;
  /** The nodes whose values at the same key are parts of this one: the schemas of `allOf`, for the properties of a schema. */
  beside?: Found[];
  /** How many nodes are parts of each other around it; they may contain themselves. */
  depth?: number;
}

/**
 * Finds nodes of the bundle in its source files. Use one locator for all findings of a run: it reads each file once.
 *
 * @param root the root file of the document, absolute
 * @param files the other files of a split document that are components, absolute
 * @returns a function that finds the position of a JSON Pointer into the bundle, or of its nearest existing ancestor
 */
export function locator(
  root: string = rootDocument,
  files: readonly string[] = [],
): (pointer: string) => Promise<SourcePlace> {
  const sources = new Map<string, Promise<Source>>();
  const open = (file: string): Promise<Source> => {
    const known = sources.get(file) ?? read(file);
    sources.set(file, known);
    return known;
  };
  return async (pointer) => {
    const { start, rest } = await entrance(root, files, pathOf(pointer), open);
    let found = start;
    for (const segment of rest) {
      const next = await step(found, segment, open);
      if (next === undefined) break;
      found = next;
    }
    return { file: found.source.name, ...found.source.positionAt(found.offset) };
  };
}

const read = async (file: string): Promise<Source> => ({
  ...parseYaml(await readText(file), displayPath(file)),
  file,
});

const rootOf = (source: Source): Found => ({
  source,
  node: source.document?.contents,
  offset: source.document?.contents?.range?.[0] ?? 0,
});

/** The node to start at: a component has its own file unless the root file lists it. */
async function entrance(
  root: string,
  files: readonly string[],
  path: string[],
  open: (file: string) => Promise<Source>,
): Promise<{ start: Found; rest: string[] }> {
  const start = rootOf(await open(root));
  const [top, kind = "", name = "", ...rest] = path;
  const listed = start.source.document?.hasIn(["components", kind, name]);
  if (top !== "components" || name === "" || listed) return { start, rest: path };
  const own = join(dirname(root), kind, `${name}.yaml`);
  const file = existsSync(own) ? own : files.find((one) => parse(one).name === name);
  if (file !== undefined) return { start: rootOf(await open(file)), rest };
  // A component that is a part of a file has the name of its last segment.
  for (const one of files) {
    const { source, ...found } = rootOf(await open(one));
    for (const owner of [["components", kind], [kind], ["definitions"], ["$defs"], []])
      if (source.document?.hasIn([...owner, name]))
        return { start: { source, ...found }, rest: [...owner, name, ...rest] };
  }
  return { start, rest: path };
}

async function step(
  found: Found,
  segment: string,
  open: (file: string) => Promise<Source>,
): Promise<Found | undefined> {
  const { document } = found.source;
  const node = isAlias(found.node) && document ? found.node.resolve(document) : found.node;
  if (isSeq(node)) {
    const item = node.items[Number(segment)] as Node | undefined;
    return item && { ...found, node: item, offset: item.range?.[0] ?? found.offset };
  }
  if (!isMap(node)) return undefined;
  const { source, depth = 0 } = found;
  const parts = (depth > 5 ? [] : partsOf(node)).map((part) => ({ ...found, node: part, depth: depth + 1 }));
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === segment);
  if (pair !== undefined) {
    const beside = await Promise.all(parts.map((part) => step(part, segment, open)));
    return {
      source,
      node: pair.value,
      offset: (pair.key as Node).range?.[0] ?? found.offset,
      beside: beside.filter((part) => part !== undefined),
    };
  }
  for (const part of [...parts, ...(found.beside ?? [])]) {
    const inner = await step(part, segment, open);
    if (inner !== undefined) return inner;
  }
  const reference = node.get("$ref");
  if (typeof reference !== "string" || depth > 20) return undefined;
  const target = await follow(source, reference, open);
  return target && step({ ...target, depth: depth + 1 }, segment, open);
}

/** What has the keys of a mapping as well: the schemas that apply together with it, and what its merge keys name. */
const partsOf = (node: YAMLMap): unknown[] =>
  node.items
    .filter(({ key }) => isScalar(key) && /^(allOf|oneOf|anyOf|Symbol\(<<\))$/.test(String(key.value)))
    .flatMap(({ value }) => (isSeq(value) ? value.items : [value]));

async function follow(
  source: Source,
  reference: string,
  open: (file: string) => Promise<Source>,
): Promise<Found | undefined> {
  const [path = "", fragment = ""] = reference.split("#");
  const file = path === "" ? source.file : resolve(dirname(source.file), path);
  if (!existsSync(file)) return undefined;
  let found: Found | undefined = rootOf(await open(file));
  for (const segment of pathOf(fragment)) found = found && (await step(found, segment, open));
  return found;
}
