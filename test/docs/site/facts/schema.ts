import { nameOf } from "../../../../scripts/document/json-pointer.ts";
import { dereference } from "../../../../scripts/document/references.ts";
import { variantOf, withTypeList } from "../../../../scripts/document/schema-forms.ts";
import type { OpenApiDocument, Schema } from "../../../../scripts/document/types.ts";
import { below, type Facts, inWords, kebab, type Location } from "./fact.ts";

export interface FactContext {
  document: OpenApiDocument;
  facts: Facts;
}

/** A schema with its `$ref` resolved. Keywords beside the `$ref` win; the ids of both are kept. */
export function resolveSchema({ document }: FactContext, given: Schema): Schema {
  if (given.$ref === undefined) return withTypeList(given);
  const { $ref, ...siblings } = given;
  const target = dereference<Schema>(document, { $ref });
  const both = (key: "x-encodes" | "x-leaves-unspecified") => [
    ...(target[key] ?? []),
    ...(siblings[key] ?? []),
  ];
  return withTypeList({
    ...target,
    ...siblings,
    "x-encodes": both("x-encodes"),
    "x-leaves-unspecified": both("x-leaves-unspecified"),
  });
}

/** The description and type of a value, whether it is required, and its schema. */
export function valueFacts(
  context: FactContext,
  location: Location,
  given: Schema,
  required?: boolean,
): void {
  const { facts } = context;
  const schema = resolveSchema(context, given);
  facts.add(location, "description", schema.description);
  typeFacts(context, location, given);
  if (required === true) facts.add(location, "required", "required", "type");
  else facts.addAbsent(location, "required", "required", "type");
  schemaFacts(context, location, given);
}

function typeFacts(context: FactContext, location: Location, given: Schema): void {
  const schema = resolveSchema(context, given);
  const isNullable = schema.anyOf?.some(({ type }) => type === "null") === true;
  if (given.$ref !== undefined && schema.title !== undefined && !isNullable) {
    context.facts.add(location, "type", inWords(schema.title), "type");
    context.facts.addLink(location, `objects/${kebab(nameOf(given.$ref))}/`);
    return;
  }
  for (const variant of schema.anyOf ?? schema.oneOf ?? []) typeFacts(context, location, variant);
  for (const type of [schema.type ?? []].flat())
    context.facts.add(location, "type", type === "array" ? "array of" : type, "type");
  if (!/^int/.test(String(schema.format))) context.facts.add(location, "format", schema.format, "type");
  const offset = schema["x-utc-offset"];
  if (offset !== undefined)
    context.facts.add(location, "offset", offset === "zero" ? "in UTC" : "with a UTC offset", "type");
}

/** The constraints and fields of a schema. */
export function schemaFacts(context: FactContext, location: Location, given: Schema): void {
  const schema = resolveSchema(context, given);
  context.facts.addIds(location, schema);
  boundFacts(context.facts, location, schema);
  const property = schema["x-variant-by-request"];
  if (property !== undefined) {
    const { properties = {}, required = [] } = variantOf(schema, false);
    schemaFacts(context, below(location, `If the request has no ${property}`), { properties, required });
    const present = variantOf(schema, true);
    const fields = { properties: present.properties ?? {}, required: present.required ?? [] };
    schemaFacts(context, below(location, `If the request has ${property}`), fields);
    return;
  }
  keywordFacts(context.facts, location, schema);
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    context.facts.add(below(location, name), "field", name);
    valueFacts(context, below(location, name), field, schema.required?.includes(name));
  }
  const unnamed = {
    "each item": schema.items,
    "each name": schema.propertyNames,
    "each value": schema.additionalProperties,
  };
  for (const [name, child] of Object.entries(unnamed))
    if (typeof child === "object" && child !== null && Object.keys(child).length > 0)
      valueFacts(context, below(location, name), child as Schema);
  variantFacts(context, location, schema);
}

function variantFacts(context: FactContext, location: Location, schema: Schema): void {
  const variants = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].filter(({ type }) => type !== "null");
  for (const variant of variants) {
    const { title, description } = resolveSchema(context, variant);
    const inner = variants.length === 1 ? location : below(location, inWords(String(title)));
    context.facts.add(inner, "description", description);
    schemaFacts(context, inner, variant);
  }
}

const bounds = [
  ["minLength", "maxLength", " character", " characters"],
  ["minItems", "maxItems", " item", " items"],
  ["minProperties", "maxProperties", " property", " properties"],
  ["minimum", "maximum", "", ""],
] as const;

/** Technical limits are in small print only. The minimum of a size is never a technical limit. */
function boundFacts(facts: Facts, location: Location, schema: Schema): void {
  for (const [least, most, ...unit] of bounds) {
    const [from, to] = [schema[least], schema[most]];
    const technical = schema["x-technical-limit"];
    if (technical === "minimum" && least === "minimum") {
      boundFact(facts, location, "small", least, boundText(from, undefined, unit));
      boundFact(facts, location, "text", most, boundText(undefined, to, unit));
    } else if (technical !== true) boundFact(facts, location, "text", most, boundText(from, to, unit));
    else if (unit[0] === "") boundFact(facts, location, "small", most, boundText(from, to, unit));
    else {
      boundFact(facts, location, "text", least, boundText(from, undefined, unit));
      boundFact(facts, location, "small", most, boundText(undefined, to, unit));
    }
  }
}

function boundFact(
  facts: Facts,
  location: Location,
  part: "text" | "small",
  kind: string,
  text?: string,
): void {
  if (text === undefined) return;
  facts.add(location, kind, text, part);
  facts.addAbsent(location, kind, text, part === "text" ? "small" : "text");
}

function boundText(from: unknown, to: unknown, [one, many]: readonly [string, string]): string | undefined {
  const [least, most] = [from, to].map((value) => Number(value).toLocaleString("en-US"));
  const unit = (to ?? from) === 1 ? one : many;
  if (from !== undefined && to !== undefined)
    return from === to ? `exactly ${most}${unit}` : `${least} to ${most}${unit}`;
  if (to !== undefined) return `at most ${most}${unit}`;
  return from === undefined ? undefined : `at least ${least}${unit}`;
}

const alternatives = new Intl.ListFormat("en-GB", { type: "disjunction" });
const json = (values: unknown): string =>
  alternatives.format((values as unknown[]).map((value) => JSON.stringify(value)));

function keywordFacts(facts: Facts, location: Location, schema: Schema): void {
  if (schema.pattern !== undefined) facts.add(location, "pattern", `matches ${String(schema.pattern)}`);
  if (schema.contentEncoding !== undefined)
    facts.add(location, "contentEncoding", `encoded as ${String(schema.contentEncoding)}`);
  if (schema.const !== undefined) facts.add(location, "const", `always ${json([schema.const])}`);
  if (schema.default !== undefined) facts.add(location, "default", `default: ${json([schema.default])}`);
  if (schema.enum !== undefined) facts.add(location, "value", `one of ${json(schema.enum)}`);
  const open = schema["x-extensible-enum"];
  if (open !== undefined)
    facts.add(location, "value", `known values: ${json(open)}; new values can be added`);
  const excluded = (schema.not as Schema | undefined)?.pattern;
  if (excluded !== undefined) facts.add(location, "condition", `must not match ${excluded}`);
  const without = namesIn(schema.not as Schema | undefined);
  if (without.length > 0) facts.add(location, "condition", `must not have ${alternatives.format(without)}`);
  const [needed, missing] = [schema.then, (schema.if as Schema | undefined)?.not].map((part) =>
    alternatives.format(namesIn(part as Schema | undefined)),
  );
  if (schema.if !== undefined)
    facts.add(location, "condition", `requires ${needed} if ${missing} is missing`);
}

const namesIn = (schema: Schema | undefined): string[] => [
  ...(schema?.required ?? []),
  ...(schema?.anyOf ?? []).flatMap(namesIn),
];
