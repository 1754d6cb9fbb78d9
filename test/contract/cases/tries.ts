import type { Schema } from "../document.ts";
import { isObject } from "./place.ts";
import { witnessesOf } from "./witnesses.ts";
import { shown } from "./words.ts";

/** A value to put in a field, and the two together in words. */
export interface Try {
  value: unknown;
  words(noun: string): string;
}

const examples: Record<string, unknown> = {
  string: "text",
  integer: 7,
  number: 7.5,
  boolean: true,
  null: null,
  array: [],
  object: {},
};

const inWords: Record<string, string> = {
  string: "a text",
  integer: "a whole number",
  number: "a fraction",
  boolean: "a truth value",
  null: "null",
  array: "a list",
  object: "an object",
};

const typesOf = ({ type }: Schema): string[] => [type ?? []].flat();

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

const asType = (value: unknown): Try => ({ value, words: (noun) => `${inWords[typeOf(value)]} as ${noun}` });
const asText = (value: unknown): Try => ({ value, words: (noun) => `${shown(value)} as ${noun}` });

/** Values of types that the schema does not have: the mistakes that people make first. */
export function wrongTypes(schema: Schema, current: unknown): Try[] {
  const [only, ...more] = typesOf(schema);
  if (only === undefined) return [];
  if (more.length > 0)
    return [true, "text", 7, {}]
      .filter((value) => !isOf(value, [only, ...more]))
      .slice(0, 1)
      .map(asType);
  const bare = Array.isArray(current) && typeof current[0] === "string" ? current[0] : "text";
  const likely: Record<string, unknown[]> = {
    string: [7],
    integer: [String(current), 1.5],
    array: [bare],
    object: ["text"],
  };
  return (likely[only] ?? [String(current)]).map(asType);
}

const isOf = (value: unknown, types: string[]): boolean =>
  types.includes(typeOf(value)) || (typeof value === "number" && types.includes("number"));

/** A value of each type, where the schema has several. */
export const alternatives = (schema: Schema): Try[] =>
  typesOf(schema).length < 2 ? [] : typesOf(schema).map((type) => asType(examples[type]));

/** Texts that keep to the enum, format or pattern of a schema, and texts that break it. */
export function texts(schema: Schema, name: string): { accepted: Try[]; refused: Try[] } {
  const { accepted, refused } = listed(schema) ?? witnessesOf(name, schema.format);
  return { accepted: accepted.map(asText), refused: refused.map(asText) };
}

function listed(schema: Schema): { accepted: unknown[]; refused: unknown[] } | undefined {
  const values = Array.isArray(schema.enum) ? schema.enum : "const" in schema ? [schema.const] : undefined;
  const plain = values?.find((value) => !isObject(value));
  return values && { accepted: values, refused: [`no ${plain}`] };
}
