import { isObject } from "../../lib/objects.ts";
import { nameOf, type Schema } from "../document.ts";
import type { Context } from "./boundaries.ts";
import type { SchemaLocation } from "./case.ts";
import { below, valueAt, withValue } from "./location.ts";

/** Keywords without constraints, or handled with another keyword. */
export const silent = [
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "then",
  "contentEncoding",
  "$ref",
];
/** The subschemas of a schema, with the locations they apply to. */
export function inside(at: SchemaLocation, schema: Schema, tools: Context): SchemaLocation[] {
  const { properties = {}, items, additionalProperties, oneOf = [], anyOf = [] } = schema;
  return [
    ...Object.entries(properties).map(([name, inner]) => property(at, name, inner, tools)),
    ...(items && asksSomething(items) ? [entries(at, items, tools)] : []),
    ...(isObject(additionalProperties) && asksSomething(additionalProperties)
      ? [values(at, additionalProperties, properties)]
      : []),
    ...[...oneOf, ...anyOf].map((branch) => alternative(at, branch, tools)),
  ];
}

const asksSomething = (schema: Schema): boolean =>
  Object.keys(schema).some((keyword) => !silent.includes(keyword) || keyword === "$ref");

function property(at: SchemaLocation, name: string, schema: Schema, { samples }: Context): SchemaLocation {
  const [first, ...others] = at.locations.filter(
    (place) => isObject(valueAt(place)) && name in (valueAt(place) as object),
  );
  const inner = { ...at, schema, name: `${at.name}.${name}`, steps: [...at.steps, name] };
  if (first !== undefined)
    return { ...inner, locations: [below(first, name), ...others.map((place) => below(place, name))] };
  const place = below(at.locations[0], name);
  return { ...inner, locations: [{ ...place, body: withValue(place, samples.of(schema, inner.name)) }] };
}

function entries(at: SchemaLocation, schema: Schema, { samples }: Context): SchemaLocation {
  const inner = { ...at, schema, name: `${at.name}[]`, steps: [...at.steps, "[]"] };
  const [first, ...others] = at.locations.flatMap((place) => {
    const value = valueAt(place);
    return Array.isArray(value) ? value.map((_, index) => below(place, index)) : [];
  });
  if (first !== undefined) return { ...inner, locations: [first, ...others] };
  const body = withValue(at.locations[0], [samples.of(schema, inner.name)]);
  return { ...inner, locations: [below({ ...at.locations[0], body }, 0)] };
}

function values(at: SchemaLocation, schema: Schema, properties: Record<string, Schema>): SchemaLocation {
  const [first, ...others] = at.locations.flatMap((place) =>
    Object.keys(valueAt(place) as object)
      .filter((name) => !(name in properties))
      .map((name) => below(place, name)),
  );
  if (first === undefined) throw new Error(`no example has a value in ${at.name}: add one`);
  return {
    ...at,
    schema,
    name: `${at.name}{}`,
    steps: [...at.steps, "{}"],
    locations: [first, ...others],
  };
}

function alternative(at: SchemaLocation, schema: Schema, { validators }: Context): SchemaLocation {
  const name = nameOf(schema);
  if (name === undefined)
    throw new Error(`${at.name} has an alternative without a name: move it to its own file`);
  const [first, ...others] = at.locations.filter((place) => validators.isValid(name, valueAt(place)));
  if (first === undefined) throw new Error(`no example of ${at.operation} has a ${name} in it: add one`);
  return { ...at, schema, variants: [...at.variants, name], locations: [first, ...others] };
}
