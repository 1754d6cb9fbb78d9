import { schemas } from "../../generated/validators/responses.js";
import { isObject } from "../../lib/objects.ts";
import { nameOf, type Schema } from "../document.ts";
import { type SchemaView, viewOf } from "./schema-view.ts";
import { variantOf } from "./variants.ts";

/** A node of a response body, and the requirements that the document encodes at it. */
export interface Node {
  /** A JSON pointer into the body. */
  pointer: string;
  ids: readonly string[];
}

/** The nodes of a body that its schema describes, present ones and missing required ones, if they encode requirements. */
export function nodesOf(given: Schema, value: unknown, pointer = "", nodes: Node[] = []): Node[] {
  const { ids, alternatives, properties, required, items } = variantFor(viewOf(given), value);
  if (ids.length > 0) nodes.push({ pointer, ids });
  const branch = branchFor(alternatives, value);
  if (branch !== undefined) nodesOf(branch, value, pointer, nodes);
  if (isObject(value))
    for (const [name, inner] of properties)
      if (name in value || required.has(name)) nodesOf(inner, value[name], `${pointer}/${name}`, nodes);
  if (items !== undefined && Array.isArray(value))
    for (const [index, entry] of value.entries()) nodesOf(items, entry, `${pointer}/${index}`, nodes);
  return nodes;
}

/** The variant of an object that the request decides, as far as its value shows. */
function variantFor(view: SchemaView, value: unknown): SchemaView {
  const property = view.schema["x-variant-by-request"];
  if (property === undefined) return view;
  return viewOf(variantOf(view.schema, isObject(value) && property in value));
}

type Validators = Record<string, ((data: unknown) => boolean) | undefined>;

/** The alternative that a value is meant to be: one that it is valid under, else the one whose properties it has most of. */
export function branchFor(branches: readonly Schema[], value: unknown): Schema | undefined {
  if (branches.length === 0) return undefined;
  const validators = schemas as unknown as Validators;
  const kept = branches.find((branch) => validators[nameOf(branch) ?? ""]?.(value));
  if (kept !== undefined) return kept;
  const shares = branches.map((branch) => ({ branch, share: shareOf(branch, value) }));
  return shares.sort((one, other) => other.share - one.share)[0]?.branch;
}

/** The share of the properties of an alternative that the value has. */
function shareOf(branch: Schema, value: unknown): number {
  if (!isObject(value)) return 0;
  const names = [...viewOf(branch).properties.keys()];
  return names.filter((name) => name in value).length / Math.max(1, names.length);
}
