import { requirements } from "../../generated/requirements.ts";
import { schemas } from "../../generated/validators/responses.js";
import { isObject } from "../../lib/objects.ts";
import { variantOf } from "../../scripts/document/schema-forms.ts";
import { document, nameOf, resolve, type Schema, type Validate } from "../document.ts";

export const rows: Record<string, { kind: string; excluded?: string; text: string }> = requirements;

/** The requirements on servers that can be observed. */
export const observable: ReadonlySet<string> = new Set(
  Object.entries(rows).flatMap(([id, { kind, excluded }]) => (kind === "client" || excluded ? [] : [id])),
);

/** The requirements that a node of the document encodes, without those of clients. */
export const encodedIn = (node: Schema | object | undefined = {}): string[] =>
  "x-encodes" in node ? (node["x-encodes"] ?? []).filter((id) => observable.has(id)) : [];

/** Whether one valid response verifies the requirement. */
export const isShape = (id: string): boolean => rows[id]?.kind === "shape";

/** A value in a response body that its schema describes, or a required one that is missing. */
export interface Node {
  /** A JSON pointer into the body. */
  pointer: string;
  /** The requirements that the document encodes at it. */
  ids: readonly string[];
  /** As it stands in the document, before its reference is resolved. */
  schema: Schema;
  /** The target of its reference, in the variant that the request decides. */
  target: Schema;
  value: unknown;
  /** The properties of the objects that contain the value. */
  around: Readonly<Record<string, unknown>>;
}

/** The nodes of a body, an object before what is in it. */
export function nodesOf(schema: Schema, value: unknown, pointer = "", around = {}, nodes: Node[] = []) {
  const resolved = resolve<Schema>(document, schema);
  const property = resolved["x-variant-by-request"];
  // The variant of an object that the request decides, as far as its value shows.
  const target = property ? variantOf(resolved, isObject(value) && property in value) : resolved;
  const { anyOf = [], oneOf = [], properties = {}, required = [], items } = target;
  nodes.push({ pointer, ids: encodedIn(target), schema, target, value, around });
  const branch = branchFor([...anyOf, ...oneOf], value);
  if (branch !== undefined) nodesOf(branch, value, pointer, around, nodes);
  if (isObject(value)) {
    const inside = { ...around, ...value };
    for (const [name, inner] of Object.entries(properties))
      if (name in value || required.includes(name))
        nodesOf(inner, value[name], `${pointer}/${name}`, inside, nodes);
  }
  if (items !== undefined && Array.isArray(value))
    for (const [index, entry] of value.entries()) nodesOf(items, entry, `${pointer}/${index}`, around, nodes);
  return nodes;
}

/** Those of the components of the document. */
export const validators = schemas as unknown as Record<string, Validate | undefined>;

/** The alternative that a value is meant to be: one that it is valid under, else the one whose properties it has most of. */
export function branchFor(branches: readonly Schema[], value: unknown): Schema | undefined {
  if (branches.length === 0) return undefined;
  const kept = branches.find((branch) => validators[nameOf(branch) ?? ""]?.(value));
  if (kept !== undefined) return kept;
  const shares = branches.map((branch) => ({ branch, share: shareOf(branch, value) }));
  return shares.sort((one, other) => other.share - one.share)[0]?.branch;
}

/** The share of the properties of an alternative that the value has. */
function shareOf(branch: Schema, value: unknown): number {
  if (!isObject(value)) return 0;
  const names = Object.keys(resolve<Schema>(document, branch).properties ?? {});
  return names.filter((name) => name in value).length / Math.max(1, names.length);
}
