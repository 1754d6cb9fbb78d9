import { isObject, typeOf } from "../../lib/objects.ts";
import { usageError } from "../../lib/user-error.ts";
import { nameOf, type OpenApiDocument, operationsOf, resolve, type Schema } from "../document.ts";
import { shown } from "../text.ts";

/** A value for a property, with its description for a title. */
export interface Candidate {
  value: unknown;
  describe(noun: string): string;
}

/** By type: in words, and an example. */
const types: Record<string, readonly [words: string, example: unknown]> = {
  string: ["a text", "text"],
  integer: ["an integer", 7],
  number: ["a fraction", 7.5],
  boolean: ["a boolean", true],
  null: ["null", null],
  array: ["a list", []],
  object: ["an object", {}],
};

const typesOf = ({ type }: Schema): string[] => [type ?? []].flat();

const asType = (value: unknown): Candidate => ({
  value,
  describe: (noun) => `${types[typeOf(value)]?.[0]} as ${noun}`,
});
const asText = (value: unknown): Candidate => ({
  value,
  describe: (noun) => `${shown(value, 60)} as ${noun}`,
});

/** Values of a wrong type: the most likely mistakes. In a list ("[]"), null is no missing value; "{}" is a value by a name. */
export function wrongTypes(schema: Schema, current: unknown, step: string | undefined): Candidate[] {
  const [only, ...more] = typesOf(schema);
  if (only === undefined) return [];
  if (more.length > 0)
    return [true, "text", {}]
      .filter((value) => ![only, ...more].includes(typeOf(value)))
      .slice(0, 1)
      .map(asType);
  const bare = Array.isArray(current) && typeof current[0] === "string" ? current[0] : "text";
  const likely: Record<string, unknown[]> = {
    string: step === "{}" ? [7, true] : [7],
    integer: [String(current), 1.5],
    array: [bare, ...(isFilled(current) ? [{ ...current }] : [])],
    object: ["text", listOf(current)],
  };
  return [...(likely[only] ?? [String(current)]), ...(step === "[]" ? [null] : [])].map(asType);
}

const isFilled = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 0;

/** An object as a list: what it has a list of, if that is all it has. */
function listOf(value: unknown): unknown[] {
  const [only, ...others] = isObject(value) ? Object.values(value) : [];
  return others.length === 0 && isFilled(only) ? only : [value];
}

/** A value of each type, if the schema has several. */
export const alternatives = (schema: Schema): Candidate[] =>
  typesOf(schema).length < 2 ? [] : typesOf(schema).map((type) => asType(types[type]?.[1]));

/** Texts that match the enum, format or pattern of a schema, and texts that violate it. */
export function texts(schema: Schema, name: string): { accepted: Candidate[]; rejected: Candidate[] } {
  const { accepted, rejected } = listed(schema) ?? textsFor(name, schema.format);
  return { accepted: accepted.map(asText), rejected: rejected.map(asText) };
}

function listed(schema: Schema): { accepted: unknown[]; rejected: unknown[] } | undefined {
  const values = Array.isArray(schema.enum) ? schema.enum : "const" in schema ? [schema.const] : undefined;
  const plain = values?.find((value) => !isObject(value));
  return values && { accepted: values, rejected: [`no ${plain}`] };
}

/** Texts that match a constraint, and texts that violate it and no other. */
interface Texts {
  accepted: string[];
  rejected: string[];
}

/**
 * Texts for formats and patterns, by component, component and property, or format; the first match counts. Only cases in
 * which the service is specified.
 */
const knownTexts: Record<string, Texts> = {
  SenderEmailAddress: {
    accepted: ["shop+orders@mail.example.com"],
    rejected: ["Ada <ada@example.com>", "<ada@example.com>", "ada@example.com (Ada)", "mail.example.com"],
  },
  MessageTagName: {
    accepted: ["order", "ORDER", "a-Z_0:9."],
    rejected: ["order id", "order/1042"],
  },
  ExtraHeaderName: {
    accepted: ["X-Entity-Ref-ID", "X-1", "List-Unsubscribe", "List-Unsubscribe-Post"],
    rejected: ["Reply-To", "List-Id", "Subject"],
  },
  ExtraHeaderValue: {
    accepted: ["order-1042; part 1"],
    rejected: ["order\r\nBcc: grace@example.net", "order\n1042", "order\r1042", "order-1042\n"],
  },
  "ContentAttachment.content": {
    accepted: ["JVBERi0xLjQ=", "JVBERi0xLg==", "JVBERi0x"],
    rejected: ["%PDF-1.4!"],
  },
  "LinkAttachment.path": {
    accepted: ["https://files.example.com/terms.pdf?version=2"],
    rejected: ["http://files.example.com/terms.pdf", "ftp://files.example.com/terms.pdf", "terms.pdf"],
  },
  email: {
    accepted: ["ada+orders@mail.example.com"],
    rejected: ["ada", "ada@", "@example.com"],
  },
  "date-time": {
    accepted: ["2026-12-24T17:00:00Z", "2026-12-24T18:00:00+01:00", "2026-12-24T12:30:00-04:30"],
    rejected: ["2026-12-24T18:00:00", "2026-12-24", "tomorrow"],
  },
};

function textsFor(name: string, format: unknown): Texts {
  const found = knownTexts[name] ?? knownTexts[String(format)];
  if (found === undefined)
    throw usageError(
      `${name} has a format or a pattern without example texts`,
      `Add \`${JSON.stringify(name)}: { accepted: ["..."], rejected: ["..."] },\` to knownTexts in contract/generated-cases/values.ts.`,
    );
  return found;
}

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
    if (first !== "object") return types[first]?.[1];
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
