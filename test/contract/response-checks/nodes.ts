import { schemas } from "../../../generated/validators/responses.js";
import { isObject } from "../../../lib/is-object.ts";
import { variantOf } from "../../../scripts/document/request-variants.ts";
import { document, nameOf, resolve, type Schema } from "../document.ts";
import { encodedIn } from "./encoded.ts";

/** A node of a response body, and the requirements that the document encodes at it. */
export interface Node {
  /** A JSON pointer into the body. */
  pointer: string;
  ids: string[];
}

/** The nodes of a body that its schema describes: present ones, and missing required ones. */
export function nodesOf(schema: Schema, value: unknown, pointer = ""): Node[] {
  const { anyOf = [], oneOf = [], ...resolved } = variantFor(resolve<Schema>(document, schema), value);
  const branch = branchFor([...anyOf, ...oneOf], value);
  return [
    { pointer, ids: encodedIn(resolved) },
    ...(branch === undefined ? [] : nodesOf(branch, value, pointer)),
    ...propertiesOf(resolved, value, pointer),
    ...entriesOf(resolved, value, pointer),
  ];
}

/** The variant of an object that the request decides, as far as its value shows. */
function variantFor(schema: Schema, value: unknown): Schema {
  const property = schema["x-variant-by-request"];
  return property === undefined ? schema : variantOf(schema, isObject(value) && property in value);
}

function propertiesOf({ properties = {}, required = [] }: Schema, value: unknown, pointer: string): Node[] {
  if (!isObject(value)) return [];
  return Object.entries(properties)
    .filter(([name]) => name in value || required.includes(name))
    .flatMap(([name, inner]) => nodesOf(inner, value[name], `${pointer}/${name}`));
}

function entriesOf({ items }: Schema, value: unknown, pointer: string): Node[] {
  if (items === undefined || !Array.isArray(value)) return [];
  return value.flatMap((entry, index) => nodesOf(items, entry, `${pointer}/${index}`));
}

type Validators = Record<string, ((data: unknown) => boolean) | undefined>;

/** The alternative that a value is meant to be: one that it is valid under, else the one whose properties it has most of. */
export function branchFor(branches: Schema[], value: unknown): Schema | undefined {
  const validators = schemas as unknown as Validators;
  const kept = branches.find((branch) => validators[nameOf(branch) ?? ""]?.(value));
  if (kept !== undefined) return kept;
  const shares = branches.map((branch) => ({ branch, share: shareOf(branch, value) }));
  return shares.sort((one, other) => other.share - one.share)[0]?.branch;
}

/** The share of the properties of an alternative that the value has. */
function shareOf(branch: Schema, value: unknown): number {
  const { properties = {} } = resolve<Schema>(document, branch);
  if (!isObject(value)) return 0;
  const names = Object.keys(properties);
  return names.filter((name) => name in value).length / Math.max(1, names.length);
}
