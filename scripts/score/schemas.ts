import { pointerOf, valueAtPointer } from "../document/json-pointer.ts";
import { subSchemas } from "../document/sub-schemas.ts";
import { isNode, type Node } from "../document/values.ts";

/** A schema and where it stands: a JSON pointer into the document. */
export interface PlacedSchema {
  pointer: string;
  schema: Node;
}

/** These say what something is compared with, not what it is made of. */
const comparisons = new Set<unknown>(["not", "if"]);

/** Every schema that the given places are made of, each once, references followed. */
export function schemasFrom(document: unknown, starts: Iterable<string>): PlacedSchema[] {
  const found = new Map<object, PlacedSchema>();
  const pending = [...starts];
  for (let pointer = pending.pop(); pointer !== undefined; pointer = pending.pop()) {
    const schema = valueAtPointer(document, pointer);
    if (!isNode(schema) || found.has(schema)) continue;
    if (typeof schema.$ref === "string" && schema.$ref.startsWith("#/")) pending.push(schema.$ref.slice(1));
    found.set(schema, { pointer, schema });
    pending.push(...partsOf(schema, pointer));
  }
  return [...found.values()];
}

const partsOf = (schema: Node, pointer: string): string[] =>
  subSchemas(schema)
    .filter(({ path: [keyword] }) => !comparisons.has(keyword))
    .map(({ path }) => `${pointer}${pointerOf(path)}`);
