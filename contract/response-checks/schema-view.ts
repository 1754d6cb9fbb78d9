import { document, resolve, type Schema } from "../document.ts";
import { encodedIn } from "./encoded.ts";

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
export function viewOf(given: Schema): SchemaView {
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
