import { requirements } from "../../generated/requirements.ts";
import { schemas } from "../../generated/validators/responses.js";
import { isObject } from "../../lib/objects.ts";
import { variantOf as newVariantOf } from "../../scripts/document/schema-forms.ts";
import { document, nameOf, resolve, type Schema, type Validate } from "../document.ts";

const rows: Record<string, { kind: string; excluded?: string }> = requirements;

/** By list, because every response needs the same few. */
const idsByList = new WeakMap<readonly string[], readonly string[]>();
const none: readonly string[] = [];

/** The requirements that a node of the document encodes, without those of clients. */
export function encodedIn(node: object | undefined): readonly string[] {
  const all = (node as Schema | undefined)?.["x-encodes"] as readonly string[] | undefined;
  if (all === undefined) return none;
  const found = idsByList.get(all) ?? all.filter(isObserved);
  idsByList.set(all, found);
  return found;
}

const isObserved = (id: string): boolean =>
  rows[id] !== undefined && rows[id].kind !== "client" && rows[id].excluded === undefined;

/** Whether one valid response verifies the requirement. */
export const isShape = (id: string): boolean => rows[id]?.kind === "shape";

const variants = { true: new WeakMap<Schema, Schema>(), false: new WeakMap<Schema, Schema>() };

/** What the response to a request with, or without, the property in `x-variant-by-request` is: always the same object. */
export function variantOf(schema: Schema, hasProperty: boolean): Schema {
  const known = variants[`${hasProperty}`];
  const found = known.get(schema) ?? newVariantOf(schema, hasProperty);
  known.set(schema, found);
  return found;
}

/** What the walks through response bodies need of a schema. */
export interface SchemaView {
  schema: Schema;
  /** Those of `anyOf` and `oneOf`. */
  alternatives: readonly Schema[];
  properties: ReadonlyMap<string, Schema>;
  required: ReadonlySet<string>;
  items: Schema | undefined;
  /** The requirements that the document encodes at it. */
  ids: readonly string[];
}

/** By schema, because every response needs the same few. */
const views = new WeakMap<Schema, SchemaView>();

/** The view of a schema, or of the target of its reference. */
function viewOf(given: Schema): SchemaView {
  const known = views.get(given);
  if (known !== undefined) return known;
  const schema = resolve<Schema>(document, given);
  const { anyOf = [], oneOf = [], properties = {}, required = [], items } = schema;
  const view = {
    schema,
    alternatives: [...anyOf, ...oneOf],
    properties: new Map(Object.entries(properties)),
    required: new Set(required),
    items,
    ids: encodedIn(schema),
  };
  views.set(given, view);
  return view;
}

/** A value in a response body that its schema describes, or a required one that is missing. */
export interface Node {
  /** A JSON pointer into the body. */
  pointer: string;
  /** The requirements that the document encodes at it. */
  ids: readonly string[];
  /** As it stands in the document, before its reference is resolved. */
  schema: Schema;
  view: SchemaView;
  value: unknown;
  /** The properties of the objects that contain the value. */
  around: Readonly<Record<string, unknown>>;
}

/** The nodes of a body, an object before what is in it. */
export function nodesOf(
  schema: Schema,
  value: unknown,
  pointer = "",
  around = {},
  nodes: Node[] = [],
): Node[] {
  const view = variantFor(viewOf(schema), value);
  const { alternatives, properties, required, items } = view;
  nodes.push({ pointer, ids: view.ids, schema, view, value, around });
  const branch = branchFor(alternatives, value);
  if (branch !== undefined) nodesOf(branch, value, pointer, around, nodes);
  if (isObject(value)) {
    const inside = { ...around, ...value };
    for (const [name, inner] of properties)
      if (name in value || required.has(name))
        nodesOf(inner, value[name], `${pointer}/${name}`, inside, nodes);
  }
  if (items !== undefined && Array.isArray(value))
    for (const [index, entry] of value.entries()) nodesOf(items, entry, `${pointer}/${index}`, around, nodes);
  return nodes;
}

/** The variant of an object that the request decides, as far as its value shows. */
function variantFor(view: SchemaView, value: unknown): SchemaView {
  const property = view.schema["x-variant-by-request"];
  if (property === undefined) return view;
  return viewOf(variantOf(view.schema, isObject(value) && property in value));
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
  const names = [...viewOf(branch).properties.keys()];
  return names.filter((name) => name in value).length / Math.max(1, names.length);
}
