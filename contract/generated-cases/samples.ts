import { isObject } from "../../lib/objects.ts";
import { nameOf, type OpenApiDocument, operationsOf, resolve, type Schema } from "../document.ts";
import { textsFor } from "./values.ts";

/** Valid values from the examples of the document, by component and by property. */
export interface Samples {
  /** A valid value for a schema. */
  of(schema: Schema, name: string): unknown;
  /**
   * A valid value for a property of this name.
   * @throws Error if no example has one
   */
  ofProperty(property: string): unknown;
}

/** The first value in examples for each component and property. */
interface Found {
  components: Map<string, unknown>;
  properties: Map<string, unknown>;
}

export function samplesFrom(document: OpenApiDocument): Samples {
  const found: Found = { components: new Map(), properties: new Map() };
  for (const { body, bodies } of operationsOf(document)) {
    for (const value of Object.values(bodies)) if (body) visit(document, body, value, found);
  }
  return {
    of: (schema, name) => sampleOf(document, schema, name, found.components),
    ofProperty: (property) => {
      if (found.properties.has(property)) return found.properties.get(property);
      throw new Error(`no example has a value for ${property}: add one`);
    },
  };
}

/** Records a value and its parts by their schemas. */
function visit(document: OpenApiDocument, schema: Schema, value: unknown, found: Found): void {
  const component = nameOf(schema);
  if (component !== undefined && !found.components.has(component)) found.components.set(component, value);
  const { oneOf = [], anyOf = [], items, ...resolved } = resolve<Schema>(document, schema);
  for (const branch of [...oneOf, ...anyOf]) visit(document, branch, value, found);
  if (Array.isArray(value) && items) for (const entry of value) visit(document, items, entry, found);
  if (!isObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    const property = resolved.properties?.[name];
    if (property && !found.properties.has(name)) found.properties.set(name, inner);
    const below = property ?? resolved.additionalProperties;
    if (isObject(below)) visit(document, below, inner, found);
  }
}

/** A value from an example, or else one made from the schema. */
function sampleOf(
  document: OpenApiDocument,
  schema: Schema,
  name: string,
  components: ReadonlyMap<string, unknown>,
): unknown {
  const component = nameOf(schema);
  if (component !== undefined && components.has(component)) return components.get(component);
  const { type, format, pattern, oneOf, ...rest } = resolve<Schema>(document, schema);
  if (oneOf?.[0]) return sampleOf(document, oneOf[0], name, components);
  if (Array.isArray(rest.enum)) return rest.enum[0];
  const isText = (format !== undefined && type === "string") || pattern !== undefined;
  if (isText) return textsFor(component ?? name, format).accepted[0];
  const [first = "string"] = [type ?? []].flat();
  if (first !== "object") return plain[first];
  const needed = (rest.required ?? []).map((key) => [
    key,
    sampleOf(document, rest.properties?.[key] ?? {}, `${component ?? name}.${key}`, components),
  ]);
  return Object.fromEntries(needed) as unknown;
}

const plain: Record<string, unknown> = { string: "text", integer: 1, number: 1, boolean: true, array: [] };
