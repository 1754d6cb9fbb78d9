import { nameOf } from "../../../../scripts/document/json-pointer.ts";
import { dereference } from "../../../../scripts/document/references.ts";
import type { OpenApiDocument, Schema } from "../../../../scripts/document/types.ts";
import { below, type Facts, kebab, type Spot } from "./fact.ts";

/** What the facts of schemas are told to, and what they are read from. */
export interface Reading {
  document: OpenApiDocument;
  facts: Facts;
}

/** A schema with what stands beside the pointer to it, which goes before its own words. */
export function whole({ document }: Reading, given: Schema): Schema {
  if (given.$ref === undefined) return given;
  const { $ref, ...beside } = given;
  const target = dereference<Schema>(document, { $ref });
  const both = (mark: "x-encodes" | "x-leaves-unspecified") => [
    ...(target[mark] ?? []),
    ...(beside[mark] ?? []),
  ];
  return {
    ...target,
    ...beside,
    "x-encodes": both("x-encodes"),
    "x-leaves-unspecified": both("x-leaves-unspecified"),
  };
}

/** What a value is, in words: its description, its type, and whether it must be there. */
export function valueFacts(reading: Reading, spot: Spot, given: Schema, required?: boolean): void {
  const { facts } = reading;
  const schema = whole(reading, given);
  facts.say(spot, "description", schema.description);
  typeFacts(reading, spot, given);
  if (required === true) facts.say(spot, "required", "required", "type");
  else facts.sayNot(spot, "required", "required", "type");
  schemaFacts(reading, spot, given);
}

function typeFacts(reading: Reading, spot: Spot, given: Schema): void {
  const schema = whole(reading, given);
  const isNullable = schema.anyOf?.some(({ type }) => type === "null") === true;
  if (given.$ref !== undefined && schema.title !== undefined && !isNullable) {
    reading.facts.say(spot, "type", schema.title, "type");
    reading.facts.leads(spot, `objects/${kebab(nameOf(given.$ref))}/`);
    return;
  }
  for (const variant of schema.anyOf ?? schema.oneOf ?? []) typeFacts(reading, spot, variant);
  for (const type of [schema.type ?? []].flat())
    reading.facts.say(spot, "type", type === "array" ? "array of" : type, "type");
  if (!/^int/.test(String(schema.format))) reading.facts.say(spot, "format", schema.format, "type");
}

/** All that a schema asks, at its place and within it. */
export function schemaFacts(reading: Reading, spot: Spot, given: Schema): void {
  const schema = whole(reading, given);
  reading.facts.marks(spot, schema);
  boundFacts(reading.facts, spot, schema);
  keywordFacts(reading.facts, spot, schema);
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    reading.facts.say(below(spot, name), "field", name);
    valueFacts(reading, below(spot, name), field, schema.required?.includes(name));
  }
  const unnamed = {
    "each item": schema.items,
    "each name": schema.propertyNames,
    "each value": schema.additionalProperties,
  };
  for (const [name, child] of Object.entries(unnamed))
    if (typeof child === "object" && child !== null && Object.keys(child).length > 0)
      valueFacts(reading, below(spot, name), child as Schema);
  variantFacts(reading, spot, schema);
}

function variantFacts(reading: Reading, spot: Spot, schema: Schema): void {
  const variants = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].filter(({ type }) => type !== "null");
  for (const variant of variants) {
    const { title, description } = whole(reading, variant);
    const place = variants.length === 1 ? spot : below(spot, String(title));
    reading.facts.say(place, "description", description);
    schemaFacts(reading, place, variant);
  }
}

const bounds = [
  ["minLength", "maxLength", " characters"],
  ["minItems", "maxItems", " items"],
  ["minProperties", "maxProperties", " properties"],
  ["minimum", "maximum", ""],
] as const;

/** Bounds in words. Those that are no promise stand in small print, and only there; the least length or count always is one. */
function boundFacts(facts: Facts, spot: Spot, schema: Schema): void {
  for (const [least, most, unit] of bounds) {
    const [from, to] = [schema[least], schema[most]];
    if (schema["x-technical-limit"] !== true)
      boundFact(facts, spot, "text", most, boundWords(from, to, unit));
    else if (unit === "") boundFact(facts, spot, "small", most, boundWords(from, to, unit));
    else {
      boundFact(facts, spot, "text", least, boundWords(from, undefined, unit));
      boundFact(facts, spot, "small", most, boundWords(undefined, to, unit));
    }
  }
}

function boundFact(facts: Facts, spot: Spot, part: "text" | "small", kind: string, words?: string): void {
  if (words === undefined) return;
  facts.say(spot, kind, words, part);
  facts.sayNot(spot, kind, words, part === "text" ? "small" : "text");
}

function boundWords(from: unknown, to: unknown, unit: string): string | undefined {
  const [least, most] = [from, to].map((value) => Number(value).toLocaleString("en-US"));
  if (from !== undefined && to !== undefined)
    return from === to ? `exactly ${most}${unit}` : `${least} to ${most}${unit}`;
  if (to !== undefined) return `at most ${most}${unit}`;
  return from === undefined ? undefined : `at least ${least}${unit}`;
}

const alternatives = new Intl.ListFormat("en-GB", { type: "disjunction" });
const json = (values: unknown): string =>
  alternatives.format((values as unknown[]).map((value) => JSON.stringify(value)));

function keywordFacts(facts: Facts, spot: Spot, schema: Schema): void {
  if (schema.pattern !== undefined) facts.say(spot, "pattern", `matches ${String(schema.pattern)}`);
  if (schema.contentEncoding !== undefined)
    facts.say(spot, "contentEncoding", `encoded as ${String(schema.contentEncoding)}`);
  if (schema.const !== undefined) facts.say(spot, "const", `always ${json([schema.const])}`);
  if (schema.default !== undefined) facts.say(spot, "default", `default: ${json([schema.default])}`);
  if (schema.enum !== undefined) facts.say(spot, "value", `one of ${json(schema.enum)}`);
  const open = schema["x-extensible-enum"];
  if (open !== undefined) facts.say(spot, "value", `known values: ${json(open)}; new values can be added`);
  const without = namesIn(schema.not as Schema | undefined);
  if (without.length > 0) facts.say(spot, "condition", `must not have ${alternatives.format(without)}`);
  const [needed, missing] = [schema.then, (schema.if as Schema | undefined)?.not].map((part) =>
    alternatives.format(namesIn(part as Schema | undefined)),
  );
  if (schema.if !== undefined) facts.say(spot, "condition", `requires ${needed} if ${missing} is missing`);
}

const namesIn = (schema: Schema | undefined): string[] => [
  ...(schema?.required ?? []),
  ...(schema?.anyOf ?? []).flatMap(namesIn),
];
