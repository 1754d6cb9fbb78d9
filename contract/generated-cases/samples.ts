import { isObject } from "../../lib/objects.ts";
import { nameOf, type OpenApiDocument, operationsOf, resolve, type Schema } from "../document.ts";
import { textsFor } from "./values.ts";

export type Samples = ReturnType<typeof samplesFrom>;

/** Valid values from the examples of the document, by component and by property. */
export function samplesFrom(document: OpenApiDocument) {
  /** The first value in examples for each component and property. */
  const components = new Map<string, unknown>();
  const properties = new Map<string, unknown>();

  /** Records a value and its parts by their schemas. */
  const visit = (schema: Schema, value: unknown): void => {
    const component = nameOf(schema);
    if (component !== undefined && !components.has(component)) components.set(component, value);
    const { oneOf = [], anyOf = [], items, ...resolved } = resolve<Schema>(document, schema);
    for (const branch of [...oneOf, ...anyOf]) visit(branch, value);
    if (Array.isArray(value) && items) for (const entry of value) visit(items, entry);
    if (!isObject(value)) return;
    for (const [name, inner] of Object.entries(value)) {
      const property = resolved.properties?.[name];
      if (property && !properties.has(name)) properties.set(name, inner);
      const below = property ?? resolved.additionalProperties;
      if (isObject(below)) visit(below, inner);
    }
  };

  /** A value from an example, or else one made from the schema. */
  const of = (schema: Schema, name: string): unknown => {
    const component = nameOf(schema);
    if (component !== undefined && components.has(component)) return components.get(component);
    const { type, format, pattern, oneOf, ...rest } = resolve<Schema>(document, schema);
    if (oneOf?.[0]) return of(oneOf[0], name);
    if (Array.isArray(rest.enum)) return rest.enum[0];
    const isText = (format !== undefined && type === "string") || pattern !== undefined;
    if (isText) return textsFor(component ?? name, format).accepted[0];
    const [first = "string"] = [type ?? []].flat();
    if (first !== "object") return plain[first];
    const needed = (rest.required ?? []).map((key) => [
      key,
      of(rest.properties?.[key] ?? {}, `${component ?? name}.${key}`),
    ]);
    return Object.fromEntries(needed) as unknown;
  };

  for (const { body, bodies } of operationsOf(document))
    for (const value of Object.values(bodies)) if (body) visit(body, value);
  return {
    of,
    /** A valid value for a property of this name. @throws Error if no example has one */
    ofProperty: (property: string): unknown => {
      if (properties.has(property)) return properties.get(property);
      throw new Error(`no example has a value for ${property}: add one`);
    },
  };
}

const plain: Record<string, unknown> = { string: "text", integer: 1, number: 1, boolean: true, array: [] };
