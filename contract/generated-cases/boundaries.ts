import { isObject } from "../../lib/objects.ts";
import { type DocumentValidators, nameOf, type Schema } from "../document.ts";
import { type Change, noun, type SchemaLocation, valueAt, withArticle, without, withValue } from "./case.ts";
import { sidesOf } from "./limits-and-beyond.ts";
import type { Samples } from "./samples.ts";
import { alternatives, type Candidate, texts, wrongTypes } from "./values.ts";

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

const thing = (at: SchemaLocation): string => withArticle(noun(at.steps));

/** The object without each of its required properties. */
const incomplete = (at: SchemaLocation, { required = [] }: Schema): Change[] =>
  required.map((name) => ({
    property: name,
    accepted: false,
    phrase: `${thing(at)} without ${name}`,
    body: without(at.locations[0], [name]),
  }));

/** The object with as few properties as possible. */
function smallest(
  at: SchemaLocation,
  { properties = {} }: Schema,
  accepts: (body: unknown) => boolean,
): Change[] {
  const place = at.locations[0];
  const object = valueAt(place);
  if (!isObject(object)) return [];
  const dropped: string[] = [];
  for (const name of Object.keys(properties).reverse()) {
    if (name in object && accepts(without(place, [...dropped, name]))) dropped.push(name);
  }
  if (dropped.length === 0) return [];
  return [
    {
      accepted: true,
      phrase: `${thing(at)} with only its required properties`,
      body: without(place, dropped),
    },
  ];
}

/** `not: { required: [x] }` and `not: { anyOf: [{ required: [x] }, ...] }`: the object with an x. */
function forbidden(at: SchemaLocation, { not }: Schema, samples: Samples): Change[] {
  const { anyOf = [not as Schema] } = not as Schema;
  return anyOf.map(({ required, ...rest }) => {
    const [name, ...more] = required ?? [];
    const others = Object.keys(rest).filter((keyword) => !keyword.startsWith("x-"));
    if (name === undefined || more.length > 0 || others.length > 0) throw unknownForm(at, "not");
    const object = valueAt(at.locations[0]) as Record<string, unknown>;
    const body = withValue(at.locations[0], { ...object, [name]: samples.ofProperty(name) });
    return { property: name, accepted: false, phrase: `${thing(at)} with ${name}`, body };
  });
}

/** `if: { not: { required: [x] } }, then: { required: [y] }`: at least one of x and y. */
function conditional(at: SchemaLocation, schema: Schema, samples: Samples): Change[] {
  const [one] = ((schema.if as Schema).not as Schema | undefined)?.required ?? [];
  const [other] = (schema.then as Schema | undefined)?.required ?? [];
  if (one === undefined || other === undefined || "else" in schema) throw unknownForm(at, "if");
  const first = { [one]: samples.ofProperty(one) };
  const second = { [other]: samples.ofProperty(other) };
  const object = Object.entries(valueAt(at.locations[0]) as object).filter(
    ([name]) => name !== one && name !== other,
  );
  const change = (accepted: boolean, what: string, values: object): Change => ({
    accepted,
    phrase: `${thing(at)} with ${what}`,
    body: withValue(at.locations[0], { ...Object.fromEntries(object), ...values }),
  });
  return [
    change(false, `neither ${one} nor ${other}`, {}),
    change(true, `${one} alone`, first),
    change(true, `${other} alone`, second),
    change(true, `both ${one} and ${other}`, { ...first, ...second }),
  ];
}

const unknownForm = (at: SchemaLocation, keyword: string): Error =>
  new Error(`${at.name} has \`${keyword}\` in a form that has no cases: add it to boundaries.ts`);

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
