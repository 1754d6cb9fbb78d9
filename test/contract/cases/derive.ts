import {
  type Document,
  nameOf,
  operationsOf,
  type PlacedOperation,
  resolve,
  type Schema,
} from "../document.ts";
import { boundaries, type Oracle, type Toolbox } from "./boundaries.ts";
import type { Case, Change, Place, Spot } from "./case.ts";
import { ofHeaders } from "./headers.ts";
import { below, isObject, valueAt, withValue } from "./place.ts";
import { samplesFrom } from "./samples.ts";
import { fieldOf, titleOf } from "./words.ts";

/** Keywords that ask nothing of a value, or that are looked at together with another one. */
const silent = [
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "then",
  "contentEncoding",
  "$ref",
];
/** Keywords that lead to further schemas. */
const leading = ["items", "additionalProperties", "oneOf", "anyOf"];

/**
 * A request on each side of every constraint that the document lays on requests, each with one fault at most. Bounds that the document
 * marks as its own (`x-ceiling`) are no constraints of the service.
 *
 * @param oracle what the document itself says about values
 * @throws Error for a constraint of a form that no case can be made for, and for one that no example leads to
 */
export function deriveCases(document: Document, oracle: Oracle): Case[] {
  const tools = {
    oracle,
    samples: samplesFrom(document),
    resolve: (schema: Schema) => resolve<Schema>(document, schema),
  };
  return operationsOf(document).flatMap((placed) =>
    unique([...ofBody(placed, tools), ...ofHeaders(placed, document)]),
  );
}

function ofBody({ id, body, bodies }: PlacedOperation, tools: Toolbox): Case[] {
  if (body === undefined) return [];
  const spot = { operation: id, schema: body, name: id, steps: [], variants: [] };
  const examples = Object.entries(bodies).map(([name, value]) =>
    toCase(spot, "example", { accepted: true, phrase: `the example ${name}`, body: value }),
  );
  const [first, ...others] = Object.values(bodies).map((value): Place => ({ body: value, path: [] }));
  return first === undefined ? [] : [...examples, ...walk({ ...spot, places: [first, ...others] }, tools)];
}

/** The cases of a schema and of all schemas below it. */
function walk(given: Spot, tools: Toolbox): Case[] {
  const schema = tools.resolve(given.schema);
  const spot = { ...given, name: nameOf(given.schema) ?? given.name };
  const unknown = Object.keys(schema).filter((keyword) => !known(keyword));
  if (unknown.length > 0)
    throw new Error(`${spot.name} has ${unknown}, which no case is made for: teach boundaries.ts about it`);
  const own = Object.entries(boundaries)
    .filter(([keyword]) => keyword in schema)
    .flatMap(([keyword, boundary]) =>
      boundary(spot, schema, tools).map((change) => toCase(spot, keyword, change)),
    );
  return [...own, ...inside(spot, schema, tools).flatMap((inner) => walk(inner, tools))];
}

const known = (keyword: string): boolean =>
  keyword in boundaries || silent.includes(keyword) || leading.includes(keyword) || keyword.startsWith("x-");

/** The schemas right below one, each with the places that it holds for. */
function inside(spot: Spot, schema: Schema, tools: Toolbox): Spot[] {
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

const toCase = (
  spot: Omit<Spot, "places">,
  keyword: string,
  { property, accepted, phrase, body }: Change,
): Case => ({
  operation: spot.operation,
  where: "body",
  field: fieldOf(property === undefined ? spot.steps : [...spot.steps, property]),
  keyword,
  accepted,
  title: titleOf(spot, phrase, accepted),
  body,
  headers: {},
});

/** The same request is made once, under the first of its titles. */
function unique(cases: Case[]): Case[] {
  const seen = new Map<string, Case>();
  for (const one of cases) {
    const request = JSON.stringify([one.body, one.headers]);
    const same = seen.get(request);
    if (same === undefined) seen.set(request, one);
    else if (same.accepted !== one.accepted)
      throw new Error(`"${same.title}" and "${one.title}" are the same request`);
  }
  return [...seen.values()];
}
