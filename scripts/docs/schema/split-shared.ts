import { isDeepStrictEqual } from "node:util";
import type { Schema } from "../../document/types.ts";

/** From this number on, fields that a variant shares with the first one are collapsed. */
const many = 4;

/** A variant without its shared fields, and the shared fields alone. */
export interface SplitSchema {
  own: Schema;
  shared: Schema;
  sharedNames: string[];
}

/** Splits a variant that has many fields in common with the first one; undefined if it has few. */
export function splitShared(first: Schema, schema: Schema): SplitSchema | undefined {
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
  return { own: { ...rest, ...pick(own) }, shared: pick(shared), sharedNames: shared };
}
