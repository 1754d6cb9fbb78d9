import { isTree, mapValues } from "../../lib/objects.ts";
import { pointerOf } from "./json-pointer.ts";
import { mediaTypes } from "./media-types.ts";
import { operationsOf, parametersOf } from "./operations.ts";
import { follow } from "./references.ts";
import { partsOfResponses } from "./responses.ts";
import type { Schema } from "./types.ts";
import {
  entriesOf,
  isNode,
  type Located,
  type Node,
  nodeOf,
  oncePerDocument,
  type Path,
  textOf,
} from "./values.ts";

/** A subschema, which may be a boolean. */
interface SubSchema {
  path: Path;
  schema: unknown;
  suffix: string;
  property: string | undefined;
  condition: boolean;
}

/** The keywords with schemas by name, and the suffix of each in messages. */
const maps = new Map<string, (key: string) => string>([
  ["properties", (key) => `.${key}`],
  ["patternProperties", (key) => `./${key}/`],
  ["dependentSchemas", (key) => ` with ${key}`],
  ["$defs", (key) => `#${key}`],
  // Its name before 2019-09.
  ["definitions", (key) => `#${key}`],
]);

/** The keywords with one schema, and its suffix in messages. */
const singles = new Map([
  ["items", "[]"],
  ["contains", "[]"],
  ["additionalProperties", ".*"],
  ["unevaluatedProperties", ".*"],
  ["unevaluatedItems", "[]"],
  ["propertyNames", " (names)"],
  ["not", " (not)"],
  ["if", " (if)"],
  ["then", " (then)"],
  ["else", " (else)"],
]);

/** The keywords with a list of schemas; `items` had one before 2020-12. */
const lists = new Set(["oneOf", "anyOf", "allOf", "prefixItems", "items"]);

const conditions = new Set(["not", "if", "then", "else"]);

/** The direct subschemas of a schema, booleans included. */
export const subSchemas = (schema: Node): SubSchema[] =>
  Object.entries(schema).flatMap(([keyword, value]): SubSchema[] => {
    const part = (schema: unknown, suffix: string, ...key: Path): SubSchema => {
      const property = keyword === "properties" ? String(key[0]) : undefined;
      return { path: [keyword, ...key], schema, suffix, property, condition: conditions.has(keyword) };
    };
    const suffixOf = maps.get(keyword);
    if (suffixOf !== undefined && isNode(value))
      return Object.entries(value).map(([key, inner]) => part(inner, suffixOf(key), key));
    const suffix = singles.get(keyword);
    if (suffix !== undefined && !Array.isArray(value)) return [part(value, suffix)];
    if (!lists.has(keyword) || !Array.isArray(value)) return [];
    return value.map((inner, index) => part(inner, `|${index}`, index));
  });

/**
 * A copy of a schema in which `change` has been applied to every schema in it, the innermost first.
 * Only keywords that hold schemas are entered: a property named `maxLength` is a property, and an example is data.
 */
export function mapSchema(schema: Schema, change: (schema: Schema) => Schema): Schema {
  const enter = (value: unknown): unknown => (isNode(value) ? mapSchema(value, change) : value);
  const copy: Schema = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (lists.has(keyword) && Array.isArray(value)) copy[keyword] = value.map(enter);
    else if (singles.has(keyword)) copy[keyword] = enter(value);
    else if (maps.has(keyword) && isNode(value)) copy[keyword] = mapValues(value, enter);
    else copy[keyword] = value;
  }
  return change(copy);
}

type Use = "request" | "response";

export interface PlacedSchema {
  path: Path;
  schema: Node;
  /** Its name in messages: `Message.events[].at`. */
  name: string;
  /** The name of the property whose schema it is. */
  property: string | undefined;
  /** Whether it is part of a condition (`if`, `then`, `else`, `not`), and so describes no value. */
  condition: boolean;
  /** The messages that have its values; empty if nothing references it. */
  uses: Set<Use>;
}

/** A schema that is not a subschema. */
type Root = Pick<PlacedSchema, "path" | "name"> & { schema: unknown; use?: Use };

/** The parameters of operations, one that they share for each of them. */
export const parameters = (document: Node): (Located & Pick<Root, "name">)[] =>
  operationsOf(document)
    .flatMap((operation) => parametersOf(document, operation))
    .map((one) => ({ ...one, name: `the parameter ${one.value.name}` }));

/** The parameters of operations and the headers of responses, and those of the components, which nothing may reference. */
export const parametersAndHeaders = (document: Node): (Located & Pick<Root, "name" | "use">)[] => [
  ...parameters(document).map((one) => ({ ...one, use: "request" as const })),
  ...partsOfResponses("headers")(document).map((one) => ({
    ...one,
    name: `the header ${one.name}`,
    use: "response" as const,
  })),
  ...["parameters", "headers"].flatMap((kind) =>
    entriesOf(nodeOf(document.components)[kind]).map(([name, value]) => ({
      path: ["components", kind, name],
      value,
      name: `the ${kind.slice(0, -1)} ${textOf(value.name) || name}`,
    })),
  ),
];

/** All that can have a schema, with the components, which include schemas that nothing references. */
const roots = (document: Node): Root[] => [
  ...mediaTypes(document).map(({ path, name, media, direction }) => ({
    path: [...path, "schema"],
    name,
    schema: media.schema,
    use: direction,
  })),
  ...parametersAndHeaders(document).map(({ path, value, ...part }) => ({
    ...part,
    path: [...path, "schema"],
    schema: value.schema,
  })),
  ...entriesOf(nodeOf(document.components).schemas).map(([name, schema]) => ({
    path: ["components", "schemas", name],
    name,
    schema,
  })),
];

/** Every schema of the document, once, with its uses. */
export const schemas = oncePerDocument((document): PlacedSchema[] => {
  const found = new Map<string, PlacedSchema>();
  const visit = (root: Root, property?: string, condition = false): void => {
    const { path, name, schema, use } = root;
    if (!isNode(schema)) return;
    const key = pointerOf(path);
    const known = found.get(key);
    if (known && (use === undefined || known.uses.has(use))) return;
    const place = known ?? { path, schema, name, property, condition, uses: new Set() };
    found.set(key, place);
    if (use !== undefined) place.uses.add(use);
    for (const part of subSchemas(schema))
      visit(
        { ...root, path: [...path, ...part.path], name: name + part.suffix, schema: part.schema },
        part.property,
        condition || part.condition,
      );
    const target = follow(document, path, schema);
    if (target.path !== path && target.path[0] === "components")
      visit({ ...root, path: target.path, name: String(target.path[2]), schema: target.value });
  };
  for (const root of roots(document)) visit(root);
  return [...found.values()];
});

/** Every use of some keywords, with the value of the keyword. */
export const keywordsIn =
  (...keywords: string[]) =>
  (document: Node) =>
    schemas(document).flatMap((place) =>
      keywords
        .filter((keyword) => place.schema[keyword] !== undefined)
        .map((keyword) => ({
          ...place,
          path: [...place.path, keyword],
          keyword,
          value: place.schema[keyword],
        })),
    );

/** The keywords whose schemas describe the value itself. */
const sameValue = new Set(["oneOf", "anyOf", "allOf"]);

/** The value, and the values in it, with every schema that describes each; conditions are omitted. */
export function* describedValues(
  document: object,
  schema: Located,
  { path, value }: { path: Path; value: unknown },
): Generator<{ path: Path; value: unknown; schema: Located }> {
  const target = follow(document, schema.path, schema.value);
  yield { path, value, schema: target };
  for (const part of subSchemas(target.value)) {
    const [keyword, name] = part.path;
    const inner = follow(document, [...target.path, ...part.path], part.schema);
    if (sameValue.has(String(keyword))) yield* describedValues(document, inner, { path, value });
    else if (keyword === "properties" || keyword === "items")
      for (const [key, entry] of entriesIn(value))
        if (keyword === "items" ? Array.isArray(value) : key === name)
          yield* describedValues(document, inner, { path: [...path, key], value: entry });
  }
}

const entriesIn = (value: unknown): [string | number, unknown][] =>
  Array.isArray(value) ? [...value.entries()] : isTree(value) ? Object.entries(value) : [];
