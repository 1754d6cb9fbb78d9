import { schemas } from "../../../generated/validators/responses.js";
import { isObject } from "../cases/location.ts";
import { document, nameOf, resolve, type Schema } from "../document.ts";
import { encodedIn } from "./encoded.ts";

/** A place in an answer's body, and the requirements that the document encodes there. */
export interface Node {
  /** A JSON pointer into the body. */
  pointer: string;
  ids: string[];
}

/** The places of a body that its schema says something about: those that are there, and those that must be. */
export function nodesOf(schema: Schema, value: unknown, pointer = ""): Node[] {
  const { anyOf = [], oneOf = [], ...resolved } = resolve<Schema>(document, schema);
  const branch = branchFor([...anyOf, ...oneOf], value);
  return [
    { pointer, ids: encodedIn(resolved) },
    ...(branch === undefined ? [] : nodesOf(branch, value, pointer)),
    ...propertiesOf(resolved, value, pointer),
    ...entriesOf(resolved, value, pointer),
  ];
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

/** The alternative that a value is meant to be: one that it keeps to, else the one whose properties it has most of. */
export function branchFor(branches: Schema[], value: unknown): Schema | undefined {
  const validators = schemas as unknown as Validators;
  const kept = branches.find((branch) => validators[nameOf(branch) ?? ""]?.(value));
  if (kept !== undefined) return kept;
  const shares = branches.map((branch) => ({ branch, share: shareOf(branch, value) }));
  return shares.sort((one, other) => other.share - one.share)[0]?.branch;
}

/** How many of the properties that an alternative has are there. */
function shareOf(branch: Schema, value: unknown): number {
  const { properties = {} } = resolve<Schema>(document, branch);
  if (!isObject(value)) return 0;
  const names = Object.keys(properties);
  return names.filter((name) => name in value).length / Math.max(1, names.length);
}
