import { isObject } from "../../lib/is-object.ts";
import type { Step } from "../cases/case.ts";
import { fieldOf } from "../cases/words.ts";
import { type OpenApiDocument, resolve, type Schema } from "../document.ts";

/** A schema, and a value that it is for. */
export interface Place {
  /** Such as `emails.*.tags.*`; empty for the body itself. */
  field: string;
  schema: Schema;
  value: unknown;
}

/** In place of a value: has every property, and lists with one entry. */
export const everything = Symbol("everything");

/** The schemas that apply to a value and to what is in it, of all variants. Properties that the document does not have are left out. */
export function* placesIn(
  within: OpenApiDocument,
  given: Schema,
  value: unknown,
  steps: readonly Step[] = [],
): Generator<Place> {
  const schema = resolve<Schema>(within, given);
  yield { field: fieldOf(steps), schema, value };
  for (const variant of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])])
    yield* placesIn(within, variant, value, steps);
  const { properties = {}, items, additionalProperties } = schema;
  for (const [name, inner] of Object.entries(properties))
    if (has(value, name)) yield* placesIn(within, inner, inValue(value, name), [...steps, name]);
  if (items !== undefined)
    for (const entry of entriesOf(value)) yield* placesIn(within, items, entry, [...steps, "[]"]);
  if (isObject(additionalProperties))
    for (const other of othersOf(value, properties))
      yield* placesIn(within, additionalProperties as Schema, other, [...steps, "{}"]);
}

const has = (value: unknown, name: string): boolean =>
  value === everything || (isObject(value) && Object.hasOwn(value, name));

const inValue = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : value);

const entriesOf = (value: unknown): readonly unknown[] =>
  value === everything ? [everything] : Array.isArray(value) ? value : [];

function othersOf(value: unknown, properties: object): readonly unknown[] {
  if (value === everything) return [everything];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, other]) => (Object.hasOwn(properties, name) ? [] : [other]));
}
