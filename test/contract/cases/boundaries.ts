import { nameOf, type Schema } from "../document.ts";
import type { Change, Spot } from "./case.ts";
import { conditional, forbidden, incomplete, smallest } from "./objects.ts";
import { valueAt, withValue } from "./place.ts";
import type { Samples } from "./samples.ts";
import { sidesOf } from "./sides.ts";
import { alternatives, type Try, texts, wrongTypes } from "./tries.ts";
import { noun } from "./words.ts";

/** What the document itself says about a value. */
export interface Oracle {
  /** Whether a value keeps to the component of that name. */
  fits(component: string, value: unknown): boolean;
  /** Whether a body keeps to the request of an operation. */
  accepts(operation: string, body: unknown): boolean;
}

export interface Toolbox {
  oracle: Oracle;
  samples: Samples;
  resolve(schema: Schema): Schema;
}

type Boundary = (spot: Spot, schema: Schema, tools: Toolbox) => Change[];

const counting =
  (keyword: string): Boundary =>
  (spot, schema, { oracle }) => {
    const names = schema.propertyNames && nameOf(schema.propertyNames);
    const keep = (name: string) => names === undefined || oracle.fits(names, name);
    const { within, past } = sidesOf(keyword, schema[keyword] as number, valueAt(spot.places[0]), keep);
    return [...replaced(spot, [within], true), ...replaced(spot, past, false)];
  };

/** A bound that the document marks as its own is no promise of the service. */
const bound =
  (keyword: string): Boundary =>
  (spot, schema, tools) =>
    schema["x-technical-limit"] === true ? [] : counting(keyword)(spot, schema, tools);

/** The changes that a keyword asks for: a value on either side of what the keyword says. */
export const boundaries: Record<string, Boundary> = {
  type: (spot, schema) => [
    ...replaced(spot, wrongTypes(schema, valueAt(spot.places[0])), false),
    ...replaced(spot, alternatives(schema), true),
  ],
  required: incomplete,
  properties: (spot, schema, { oracle }) =>
    smallest(spot, schema, (body) => oracle.accepts(spot.operation, body)),
  not: (spot, schema, { samples }) => forbidden(spot, schema, samples),
  if: (spot, schema, { samples }) => conditional(spot, schema, samples),
  maxLength: bound("maxLength"),
  minLength: counting("minLength"),
  maxItems: bound("maxItems"),
  minItems: counting("minItems"),
  maxProperties: bound("maxProperties"),
  minProperties: counting("minProperties"),
  maximum: bound("maximum"),
  minimum: bound("minimum"),
  enum: worded,
  const: worded,
  format: worded,
  pattern: worded,
  propertyNames: named,
};

const replaced = (spot: Spot, tries: Try[], accepted: boolean): Change[] =>
  tries.map(({ value, words }) => ({
    accepted,
    phrase: words(noun(spot.steps)),
    body: withValue(spot.places[0], value),
  }));

function worded(spot: Spot, schema: Schema): Change[] {
  // The format of a number only tells how many bits hold it.
  if (schema.type === "integer" || schema.type === "number") return [];
  const { accepted, refused } = texts(schema, spot.name);
  return [...replaced(spot, accepted, true), ...replaced(spot, refused, false)];
}

/** The first name in the object becomes another. */
function named(spot: Spot, { propertyNames = {} }: Schema, { resolve }: Toolbox): Change[] {
  const [[, value] = [], ...others] = Object.entries(valueAt(spot.places[0]) as object);
  const { accepted, refused } = texts(resolve(propertyNames), nameOf(propertyNames) ?? `${spot.name}.names`);
  const renamed = (tries: Try[], keep: boolean): Change[] =>
    tries.map((one) => ({
      accepted: keep,
      phrase: `the name ${one.words(noun(spot.steps)).replace(" as ", " in ")}`,
      body: withValue(spot.places[0], Object.fromEntries([[String(one.value), value], ...others])),
    }));
  return [...renamed(accepted, true), ...renamed(refused, false)];
}
