import { isObject } from "../../lib/objects.ts";
import { type DocumentValidators, nameOf, type Schema } from "../document.ts";
import { type Change, noun, type SchemaLocation, valueAt, withArticle, without, withValue } from "./case.ts";
import type { Samples } from "./values.ts";
import { alternatives, type Candidate, texts, wrongTypes } from "./values.ts";

export interface Context {
  validators: DocumentValidators;
  samples: Samples;
  /** The components with cases so far, and where they are in the body. */
  seen: Set<string>;
  resolve(schema: Schema): Schema;
}

type Boundary = (at: SchemaLocation, schema: Schema, tools: Context) => Change[];

/** Both sides of a limit. */
const counting =
  (keyword: string): Boundary =>
  (at, schema, { validators }) => {
    if (isTechnical(schema, keyword)) return [];
    const names = schema.propertyNames && nameOf(schema.propertyNames);
    const keep = (name: string) => names === undefined || validators.isValid(names, name);
    const make = (size: number): Candidate => sized(keyword, size, valueAt(at.locations[0]), keep);
    const limit = schema[keyword] as number;
    const beyond = keyword.startsWith("max") ? limit + 1 : limit - 1;
    const isPossible = beyond >= 0 || keyword === "minimum";
    return [...replaced(at, [make(limit)], true), ...(isPossible ? replaced(at, [make(beyond)], false) : [])];
  };

/** A value of a size, made from a valid one, for the keyword of a limit. `keep`: whether a property name is valid. */
function sized(keyword: string, size: number, current: unknown, keep: (name: string) => boolean): Candidate {
  const many = (one: string, more: string): string => `${size} ${size === 1 ? one : more}`;
  if (keyword.endsWith("Length")) {
    const value = String(current).slice(0, size).padEnd(size, "x");
    return { value, describe: (noun) => `${withArticle(noun)} of ${many("character", "characters")}` };
  }
  if (keyword.endsWith("Items"))
    return { value: entries(current, size), describe: (noun) => `${noun} with ${many("entry", "entries")}` };
  if (keyword.endsWith("Properties"))
    return { value: pairs(current, size, keep), describe: (noun) => `${noun} with ${many("pair", "pairs")}` };
  return { value: size, describe: (noun) => `${size} as ${noun}` };
}

/** Repeats the entries; texts are numbered to be unique. */
function entries(current: unknown, count: number): unknown[] {
  const given = Array.isArray(current) && current.length > 0 ? current : ["text"];
  return Array.from({ length: count }, (_, index) => {
    const entry: unknown = given[index % given.length];
    return typeof entry === "string" ? `${index}${entry}` : entry;
  });
}

function pairs(current: unknown, count: number, keep: (name: string) => boolean): Record<string, unknown> {
  const given = isObject(current) ? Object.entries(current) : [];
  const [name, value] = given.find(([one]) => keep(`${one}-1`)) ?? ["name", "text"];
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}-${index}`, value]));
}

/** Whether a bound is there for tools only: it is not a limit of the service. */
export const isTechnical = (schema: Schema, keyword: string): boolean =>
  (keyword.startsWith("max") || keyword === "minimum") &&
  [true, keyword].includes(schema["x-technical-limit"] ?? false);

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

/** The object without each of its required properties, and with null in its place unless that is valid. */
const incomplete: Boundary = (at, { required = [] }, { validators }) =>
  required.flatMap((name) => {
    const [place] = at.locations;
    const rejected = { property: name, accepted: false };
    const withNull = withValue(place, { ...(valueAt(place) as object), [name]: null });
    return [
      { ...rejected, phrase: `${thing(at)} without ${name}`, body: without(place, [name]) },
      ...(validators.accepts(at.operation, withNull)
        ? []
        : [{ ...rejected, phrase: `${thing(at)} with null as ${name}`, body: withNull }]),
    ];
  });

/** The object with as few properties as possible. */
const smallest: Boundary = (at, { properties = {} }, { validators }) => {
  const [place] = at.locations;
  const object = valueAt(place);
  if (!isObject(object)) return [];
  const dropped: string[] = [];
  for (const name of Object.keys(properties).reverse())
    if (name in object && validators.accepts(at.operation, without(place, [...dropped, name])))
      dropped.push(name);
  const phrase = `${thing(at)} with only its required properties`;
  return dropped.length === 0 ? [] : [{ accepted: true, phrase, body: without(place, dropped) }];
};

/** `not: { required: [x] }` and `not: { anyOf: [{ required: [x] }, ...] }`: the object with an x. */
const forbidden: Boundary = (at, { not }, { samples }) => {
  const { anyOf = [not as Schema] } = not as Schema;
  return anyOf.map(({ required, ...rest }) => {
    const [name, ...more] = required ?? [];
    const others = Object.keys(rest).filter((keyword) => !keyword.startsWith("x-"));
    if (name === undefined || more.length > 0 || others.length > 0) throw unknownForm(at, "not");
    const object = valueAt(at.locations[0]) as Record<string, unknown>;
    const body = withValue(at.locations[0], { ...object, [name]: samples.ofProperty(name) });
    return { property: name, accepted: false, phrase: `${thing(at)} with ${name}`, body };
  });
};

/** `if: { not: { required: [x] } }, then: { required: [y] }`: at least one of x and y. */
const conditional: Boundary = (at, schema, { samples }) => {
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
};

const unknownForm = (at: SchemaLocation, keyword: string): Error =>
  new Error(`${at.name} has \`${keyword}\` in a form that has no cases: add it to boundaries.ts`);

const sizes = ["Length", "Items", "Properties", "imum"].flatMap((what) => [`max${what}`, `min${what}`]);

/** The changes for each keyword: values on both sides of its limit. */
export const boundaries: Record<string, Boundary> = {
  type: (at, schema) => [
    ...replaced(at, wrongTypes(schema, valueAt(at.locations[0]), at.steps.at(-1)), false),
    ...replaced(at, alternatives(schema), true),
  ],
  required: incomplete,
  properties: smallest,
  not: (at, schema, tools) =>
    "pattern" in (schema.not as Schema) ? worded(at, schema) : forbidden(at, schema, tools),
  if: conditional,
  ...Object.fromEntries(sizes.map((keyword) => [keyword, counting(keyword)])),
  enum: worded,
  const: worded,
  format: worded,
  pattern: worded,
  propertyNames: named,
};
