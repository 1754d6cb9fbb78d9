import { nameOf, type Schema } from "../document.ts";
import type { Change, SchemaLocation } from "./case.ts";
import { valueAt, withValue } from "./location.ts";
import { conditional, forbidden, incomplete, smallest } from "./objects.ts";
import type { Samples } from "./samples.ts";
import { sidesOf } from "./sides.ts";
import { alternatives, type Candidate, texts, wrongTypes } from "./values.ts";
import { noun } from "./words.ts";

/** The validators of the document. */
export interface DocumentValidators {
  /** Whether a value is valid for a component. */
  isValid(component: string, value: unknown): boolean;
  /** Whether a body is valid for an operation. */
  accepts(operation: string, body: unknown): boolean;
}

export interface Context {
  validators: DocumentValidators;
  samples: Samples;
  resolve(schema: Schema): Schema;
}

type Boundary = (at: SchemaLocation, schema: Schema, tools: Context) => Change[];

const counting =
  (keyword: string): Boundary =>
  (at, schema, { validators }) => {
    const names = schema.propertyNames && nameOf(schema.propertyNames);
    const keep = (name: string) => names === undefined || validators.isValid(names, name);
    const { within, past } = sidesOf(keyword, schema[keyword] as number, valueAt(at.locations[0]), keep);
    return [...replaced(at, [within], true), ...replaced(at, past, false)];
  };

/** Whether a bound is there for tools only: it is not a limit of the service. */
export const isTechnical = (schema: Schema, keyword: string): boolean =>
  (keyword.startsWith("max") || keyword === "minimum") &&
  [true, keyword].includes(schema["x-technical-limit"] ?? false);

const bound =
  (keyword: string): Boundary =>
  (at, schema, tools) =>
    isTechnical(schema, keyword) ? [] : counting(keyword)(at, schema, tools);

/** The changes for each keyword: values on both sides of its limit. */
export const boundaries: Record<string, Boundary> = {
  type: (at, schema) => [
    ...replaced(at, wrongTypes(schema, valueAt(at.locations[0])), false),
    ...replaced(at, alternatives(schema), true),
  ],
  required: incomplete,
  properties: (at, schema, { validators }) =>
    smallest(at, schema, (body) => validators.accepts(at.operation, body)),
  not: (at, schema, { samples }) =>
    "pattern" in (schema.not as Schema) ? worded(at, schema) : forbidden(at, schema, samples),
  if: (at, schema, { samples }) => conditional(at, schema, samples),
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

const replaced = (at: SchemaLocation, tries: Candidate[], accepted: boolean): Change[] =>
  tries.map(({ value, describe: words }) => ({
    accepted,
    phrase: words(noun(at.steps)),
    body: withValue(at.locations[0], value),
  }));

function worded(at: SchemaLocation, schema: Schema): Change[] {
  // The format of a number is only its size in bits.
  if (schema.type === "integer" || schema.type === "number") return [];
  const { accepted, rejected } = texts(schema, at.name);
  return [...replaced(at, accepted, true), ...replaced(at, rejected, false)];
}

/** Renames the first property of the object. */
function named(at: SchemaLocation, { propertyNames = {} }: Schema, { resolve }: Context): Change[] {
  const [[, value] = [], ...others] = Object.entries(valueAt(at.locations[0]) as object);
  const { accepted, rejected } = texts(resolve(propertyNames), nameOf(propertyNames) ?? `${at.name}.names`);
  const renamed = (tries: Candidate[], keep: boolean): Change[] =>
    tries.map((one) => ({
      accepted: keep,
      phrase: `the name ${one.describe(noun(at.steps)).replace(" as ", " in ")}`,
      body: withValue(at.locations[0], Object.fromEntries([[String(one.value), value], ...others])),
    }));
  return [...renamed(accepted, true), ...renamed(rejected, false)];
}
