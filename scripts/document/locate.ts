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
  /** The root of another file. */
  open(file: string): Promise<Found>;
}

/** A node of a source file, with the offset of its key or, in a list, of the node. */
interface Found {
  source: Source;
  node: unknown;
  offset: number;
  /** The nodes whose values at the same key are parts of this one: the schemas of `allOf`, for the properties of a schema. */
  beside?: () => Promise<(Found | undefined)[]>;
  /** How many nodes are parts of each other around it; they may contain themselves. */
  depth?: number;
}

/**
 * Finds nodes of the bundle in its source files. Use one locator for all findings of a run: it reads each file once.
 * @param root the root file of the document, absolute
 * @param files the other files of a split document that are components, absolute
 * @param read reads a file
 * @returns a function that finds the position of a JSON Pointer into the bundle, or of its nearest existing ancestor
 */
export function locator(
  root: string = rootDocument,
  files: readonly string[] = [],
  read = readText,
): (pointer: string) => Promise<SourcePlace> {
  const roots = new Map<string, Promise<Found>>();
  const open = (file: string): Promise<Found> => {
    const known = roots.get(file) ?? parsed(file);
    roots.set(file, known);
    return known;
  };
  const parsed = async (file: string): Promise<Found> => {
    const source = { ...parseYaml(await read(file), displayPath(file)), file, open };
    const node = source.document?.contents;
    return { source, node, offset: node?.range?.[0] ?? 0 };
  };
  return async (pointer) => {
    const { start, rest } = await entrance(await open(root), files, pathOf(pointer));
    let found = start;
    for (const segment of rest) {
      const next = await step(found, segment);
      if (next === undefined) break;
      found = next;
    }
    return { file: found.source.name, ...found.source.positionAt(found.offset) };
  };
}

/** The node to start at: a component has its own file unless the root file lists it. */
async function entrance(root: Found, files: readonly string[], path: string[]) {
  const { document, file: rootFile, open } = root.source;
  const [top, kind = "", name = "", ...rest] = path;
  if (top !== "components" || name === "" || document?.hasIn(path.slice(0, 3)))
    return { start: root, rest: path };
  const whole = [
    join(dirname(rootFile), kind, `${name}.yaml`),
    ...files.filter((one) => parse(one).name === name),
  ];
  // A component that is a part of a file has the name of its last segment.
  const owners = [["components", kind], [kind], ["definitions"], ["$defs"], []];
  const parts = files.flatMap((file) => owners.map((owner) => [file, ...owner, name] as const));
  for (const [file, ...within] of [...whole.map((file) => [file] as const), ...parts]) {
    const start = await open(file).catch(() => undefined);
    if (start && (within.length === 0 || start.source.document?.hasIn(within)))
      return { start, rest: [...within, ...rest] };
  }
  return { start: root, rest: path };
}

async function step(found: Found, segment: string): Promise<Found | undefined> {
  const { source, depth = 0 } = found;
  const node = isAlias(found.node) && source.document ? found.node.resolve(source.document) : found.node;
  if (isSeq(node)) {
    const item = node.items[Number(segment)] as Node | undefined;
    return item && { ...found, node: item, offset: item.range?.[0] ?? found.offset };
  }
  if (!isMap(node)) return undefined;
  const parts = () =>
    (depth > 5 ? [] : partsOf(node)).map((part) => ({ ...found, node: part, depth: depth + 1 }));
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === segment);
  if (pair !== undefined)
    return {
      source,
      node: pair.value,
      offset: (pair.key as Node).range?.[0] ?? found.offset,
      beside: () => Promise.all(parts().map((part) => step(part, segment))),
    };
  for (const part of [...parts(), ...((await found.beside?.()) ?? [])]) {
    const inner = part && (await step(part, segment));
    if (inner !== undefined) return inner;
  }
  const reference = node.get("$ref");
  if (typeof reference !== "string" || depth > 20) return undefined;
  const target = await follow(source, reference);
  return target && step({ ...target, depth: depth + 1 }, segment);
}

/** What has the keys of a mapping as well: the schemas that apply together with it, and what its merge keys name. */
const partsOf = (node: YAMLMap): unknown[] =>
  node.items
    .filter(({ key }) => isScalar(key) && /^(allOf|oneOf|anyOf|Symbol\(<<\))$/.test(String(key.value)))
    .flatMap(({ value }) => (isSeq(value) ? value.items : [value]));

async function follow(source: Source, reference: string): Promise<Found | undefined> {
  const [path = "", fragment = ""] = reference.split("#");
  const file = path === "" ? source.file : resolve(dirname(source.file), path);
  let found = await source.open(file).catch(() => undefined);
  for (const segment of pathOf(fragment)) found = found && (await step(found, segment));
  return found;
}
