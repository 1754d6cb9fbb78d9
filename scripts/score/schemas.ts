import { at, escaped, isRecord } from "../reference.ts";

type Schema = Record<string, unknown>;

/** A schema and where it stands: a JSON pointer into the document. */
export interface PlacedSchema {
  pointer: string;
  schema: Schema;
}

// `not` and `if` say what something is compared with, not what it is made of.
const single = ["items", "additionalProperties", "propertyNames", "contains", "then", "else"];
const lists = ["oneOf", "anyOf", "allOf", "prefixItems", "items"];
const maps = ["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"];

/** Every schema that the given places are made of, each once, references followed. */
export function schemasFrom(document: unknown, starts: Iterable<string>): PlacedSchema[] {
  const found = new Map<object, PlacedSchema>();
  const pending = [...starts];
  for (let pointer = pending.pop(); pointer !== undefined; pointer = pending.pop()) {
    const schema = at(document, pointer);
    if (!isRecord(schema) || found.has(schema)) continue;
    if (typeof schema.$ref === "string" && schema.$ref.startsWith("#/")) pending.push(schema.$ref.slice(1));
    found.set(schema, { pointer, schema });
    pending.push(...childrenOf(schema, pointer));
  }
  return [...found.values()];
}

function childrenOf(schema: Schema, pointer: string): string[] {
  return [
    ...single.filter((keyword) => isRecord(schema[keyword])).map((keyword) => `${pointer}/${keyword}`),
    ...lists.flatMap((keyword) => indexes(schema[keyword]).map((index) => `${pointer}/${keyword}/${index}`)),
    ...maps.flatMap((keyword) => keys(schema[keyword]).map((key) => `${pointer}/${keyword}/${escaped(key)}`)),
  ];
}

const indexes = (value: unknown): number[] => (Array.isArray(value) ? [...value.keys()] : []);
const keys = (value: unknown): string[] => (isRecord(value) ? Object.keys(value) : []);
