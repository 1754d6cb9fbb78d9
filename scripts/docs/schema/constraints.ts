import { UserError } from "../../../lib/user-error.ts";
import type { Schema } from "../../document/types.ts";
import { code, either } from "../markdown.ts";
import { conditions } from "./conditions.ts";

type Words = (schema: Schema) => string | undefined;

const range = (least: unknown, most: unknown, unit: string): string | undefined => {
  const [from, to] = [least, most].map((bound) => (bound === undefined ? undefined : number(bound)));
  if (from !== undefined && to !== undefined)
    return from === to ? `exactly ${to}${unit}` : `${from} to ${to}${unit}`;
  if (to !== undefined) return `at most ${to}${unit}`;
  return from === undefined ? undefined : `at least ${from}${unit}`;
};

/** A number with its thousands apart, so that large ones can be read. */
export const number = (value: unknown): string => Number(value).toLocaleString("en-US");

const values = (list: unknown[]): string => either(list.map((value) => code(JSON.stringify(value))));

/** What each keyword says, in words. */
const sentences: Record<string, Words> = {
  minLength: ({ minLength, maxLength }) => range(minLength, maxLength, " characters"),
  minItems: ({ minItems, maxItems }) => range(minItems, maxItems, " entries"),
  minProperties: ({ minProperties, maxProperties }) => range(minProperties, maxProperties, " names"),
  minimum: ({ minimum, maximum }) => range(minimum, maximum, ""),
  pattern: ({ pattern }) => `matches ${code(String(pattern))}`,
  contentEncoding: ({ contentEncoding }) => `encoded as ${String(contentEncoding)}`,
  enum: (schema) => `one of ${values(schema.enum as unknown[])}`,
  const: (schema) => `always ${values([schema.const])}`,
  "x-extensible-enum": (schema) =>
    `known so far are ${values(schema["x-extensible-enum"] ?? [])}, and more may come`,
  default: (schema) => `${values([schema.default])} where it is left out`,
  not: (schema) => conditions(schema),
};

/** Keywords of which another one's sentence tells. */
const toldBy: Record<string, string> = {
  maxLength: "minLength",
  maxItems: "minItems",
  maxProperties: "minProperties",
  maximum: "minimum",
  if: "not",
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: "not",
};

/** Keywords that stand elsewhere on the page: in the type, in the description, as marks, or as fields below. */
const elsewhere = new Set(
  "type format title description properties required items oneOf anyOf additionalProperties propertyNames x-technical-limit x-encodes x-leaves-unspecified x-prefix".split(
    " ",
  ),
);

const ceilings = new Set(["minLength", "minItems", "minProperties", "minimum"]);

/** Promises beside a technical bound: only the upper one of a length or a count is technical. */
const promised = new Set(["minLength", "minItems", "minProperties"]);

/** What a schema asks of a value itself. */
export interface Constraints {
  /** What the service holds a value to, a phrase each. */
  rules: string[];
  /** Bounds that are no promise: they let tools set room aside (`x-technical-limit`). */
  room: string[];
}

/** @throws Failure for a keyword that has no words here: the reference leaves nothing out in silence */
export function constraintsOf(schema: Schema): Constraints {
  const told: Constraints = { rules: [], room: [] };
  const { "x-technical-limit": isCeiling } = schema;
  for (const key of spokenKeywords(schema)) {
    const say = (list: string[], given: Schema): void => {
      const words = sentences[key]?.(given);
      if (words !== undefined) list.push(words);
    };
    const bound = isCeiling === true && ceilings.has(key);
    if (bound && promised.has(key)) say(told.rules, { [key]: schema[key] });
    if (bound) say(told.room, promised.has(key) ? { ...schema, [key]: undefined } : schema);
    else say(told.rules, schema);
  }
  return told;
}

function spokenKeywords(schema: Schema): Set<string> {
  const keywords = new Set<string>();
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "additionalProperties" && typeof value === "boolean") throw withoutWords(keyword, schema);
    const key = toldBy[keyword] ?? keyword;
    if (sentences[key] !== undefined) keywords.add(key);
    else if (!elsewhere.has(key)) throw withoutWords(keyword, schema);
  }
  return keywords;
}

const withoutWords = (keyword: string, schema: Schema): UserError =>
  new UserError(`the reference has no words for the keyword ${keyword}`, {
    hint: `Give it a sentence in scripts/docs/schema/constraints.ts. It stands in: ${JSON.stringify(schema).slice(0, 200)}`,
  });
