import { isDeepStrictEqual } from "node:util";
import type { Schema } from "../../document/types.ts";

/** From this number on, fields that a shape shares with the first one are closed until they are asked for. */
const many = 4;

/** An object in two parts: its own fields with all else that it says, and the fields that it shares with another shape. */
export interface Parted {
  own: Schema;
  shared: Schema;
  /** The names of the shared fields. */
  names: string[];
}

/** Parts an object where another shape describes many of its fields in the same words; undefined where few are shared. */
export function parted(first: Schema, schema: Schema): Parted | undefined {
  const { properties = {}, required = [], ...rest } = schema;
  const isShared = (name: string): boolean =>
    isDeepStrictEqual(properties[name], first.properties?.[name]) &&
    required.includes(name) === (first.required ?? []).includes(name);
  const { own = [], shared = [] } = Object.groupBy(Object.keys(properties), (name) =>
    isShared(name) ? "shared" : "own",
  );
  const pick = (names: string[]): Schema => ({
    required,
    properties: Object.fromEntries(names.map((name) => [name, properties[name] ?? {}])),
  });
  if (shared.length < many) return undefined;
  return { own: { ...rest, ...pick(own) }, shared: pick(shared), names: shared };
}
