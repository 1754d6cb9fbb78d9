import { nameOf, type Schema } from "../document.ts";
import type { Toolbox } from "./boundaries.ts";
import type { Spot } from "./case.ts";
import { below, isObject, valueAt, withValue } from "./place.ts";

/** Keywords that ask nothing of a value, or that are looked at together with another one. */
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
/** The schemas right below one, each with the places that it holds for. */
export function inside(spot: Spot, schema: Schema, tools: Toolbox): Spot[] {
  const { properties = {}, items, additionalProperties, oneOf = [], anyOf = [] } = schema;
  return [
    ...Object.entries(properties).map(([name, inner]) => property(spot, name, inner, tools)),
    ...(items && asksSomething(items) ? [entries(spot, items, tools)] : []),
    ...(additionalProperties && asksSomething(additionalProperties)
      ? [values(spot, additionalProperties, properties)]
      : []),
    ...[...oneOf, ...anyOf].map((branch) => alternative(spot, branch, tools)),
  ];
}

const asksSomething = (schema: Schema): boolean =>
  Object.keys(schema).some((keyword) => !silent.includes(keyword) || keyword === "$ref");

function property(spot: Spot, name: string, schema: Schema, { samples }: Toolbox): Spot {
  const [first, ...others] = spot.places.filter(
    (place) => isObject(valueAt(place)) && name in (valueAt(place) as object),
  );
  const inner = { ...spot, schema, name: `${spot.name}.${name}`, steps: [...spot.steps, name] };
  if (first !== undefined)
    return { ...inner, places: [below(first, name), ...others.map((place) => below(place, name))] };
  const place = below(spot.places[0], name);
  return { ...inner, places: [{ ...place, body: withValue(place, samples.of(schema, inner.name)) }] };
}

function entries(spot: Spot, schema: Schema, { samples }: Toolbox): Spot {
  const inner = { ...spot, schema, name: `${spot.name}[]`, steps: [...spot.steps, "[]"] };
  const [first, ...others] = spot.places.flatMap((place) => {
    const value = valueAt(place);
    return Array.isArray(value) ? value.map((_, index) => below(place, index)) : [];
  });
  if (first !== undefined) return { ...inner, places: [first, ...others] };
  const body = withValue(spot.places[0], [samples.of(schema, inner.name)]);
  return { ...inner, places: [below({ ...spot.places[0], body }, 0)] };
}

function values(spot: Spot, schema: Schema, properties: Record<string, Schema>): Spot {
  const [first, ...others] = spot.places.flatMap((place) =>
    Object.keys(valueAt(place) as object)
      .filter((name) => !(name in properties))
      .map((name) => below(place, name)),
  );
  if (first === undefined) throw new Error(`no example has a value in ${spot.name}: give one`);
  return {
    ...spot,
    schema,
    name: `${spot.name}{}`,
    steps: [...spot.steps, "{}"],
    places: [first, ...others],
  };
}

function alternative(spot: Spot, schema: Schema, { oracle }: Toolbox): Spot {
  const name = nameOf(schema);
  if (name === undefined)
    throw new Error(`${spot.name} has an alternative without a name: put it in a file of its own`);
  const [first, ...others] = spot.places.filter((place) => oracle.fits(name, valueAt(place)));
  if (first === undefined) throw new Error(`no example of ${spot.operation} has a ${name} in it: give one`);
  return { ...spot, schema, variants: [...spot.variants, name], places: [first, ...others] };
}
