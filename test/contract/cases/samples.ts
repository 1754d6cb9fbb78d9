import { type Document, nameOf, operationsOf, resolve, type Schema } from "../document.ts";
import { isObject } from "./place.ts";
import { witnessesOf } from "./witnesses.ts";

/** Good values taken from the examples of the document: by the component they are of, and by the property they stand in. */
export interface Samples {
  /** A good value for a schema. */
  of(schema: Schema, name: string): unknown;
  /**
   * A good value for a property of that name, wherever the document has one.
   * @throws Error when no example has one
   */
  ofProperty(property: string): unknown;
}

/** Gathers the values that the examples of all request bodies give to each component and property. */
export function samplesFrom(document: Document): Samples {
  const components = new Map<string, unknown>();
  const properties = new Map<string, unknown>();

  function visit(schema: Schema, value: unknown): void {
    const component = nameOf(schema);
    if (component !== undefined && !components.has(component)) components.set(component, value);
    const {
      oneOf = [],
      anyOf = [],
      items,
      additionalProperties,
      ...resolved
    } = resolve<Schema>(document, schema);
    for (const branch of [...oneOf, ...anyOf]) visit(branch, value);
    if (Array.isArray(value) && items) for (const entry of value) visit(items, entry);
    if (!isObject(value)) return;
    for (const [name, inner] of Object.entries(value)) {
      const property = resolved.properties?.[name];
      if (property && !properties.has(name)) properties.set(name, inner);
      const below = property ?? additionalProperties;
      if (below) visit(below, inner);
    }
  }

  function of(schema: Schema, name: string): unknown {
    const component = nameOf(schema);
    if (component !== undefined && components.has(component)) return components.get(component);
    const {
      type,
      format,
      pattern,
      properties: inner = {},
      required = [],
      oneOf,
      ...rest
    } = resolve<Schema>(document, schema);
    if (oneOf?.[0]) return of(oneOf[0], name);
    if (Array.isArray(rest.enum)) return rest.enum[0];
    if (format !== undefined && type === "string") return witnessesOf(component ?? name, format).accepted[0];
    if (pattern !== undefined) return witnessesOf(component ?? name, format).accepted[0];
    const filled = () => required.map((key) => [key, of(inner[key] ?? {}, `${component ?? name}.${key}`)]);
    const plain = {
      string: "text",
      integer: 1,
      number: 1,
      boolean: true,
      array: [],
      object: Object.fromEntries(filled()),
    };
    const [first = "string"] = [type ?? []].flat();
    return plain[first as keyof typeof plain];
  }

  for (const { body, bodies } of operationsOf(document)) {
    for (const value of Object.values(bodies)) if (body) visit(body, value);
  }
  function ofProperty(property: string): unknown {
    if (!properties.has(property)) throw new Error(`no example has a value for ${property}: give one`);
    return properties.get(property);
  }

  return { of, ofProperty };
}
