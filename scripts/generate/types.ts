import openapiTS, { astToString, type OpenAPI3, type SchemaObject } from "openapi-typescript";
import ts from "typescript";
import { mapValues } from "../../lib/objects.ts";
import { valueAtPointer } from "../document/json-pointer.ts";
import { dereference } from "../document/references.ts";
import { excludedProperties, variantOf } from "../document/schema-forms.ts";
import { mapSchema } from "../document/schemas.ts";
import type { Header, OpenApiDocument, Reference, Schema } from "../document/types.ts";
import { isNode } from "../document/values.ts";

/** The TypeScript types of the document (`paths`, `components`, `operations`). */
export async function typesFile(document: OpenApiDocument): Promise<string> {
  const nodes = await openapiTS(typesSource(document) as unknown as OpenAPI3, {
    // A property with a default is optional in requests.
    defaultNonNullable: false,
    // An object without properties is open, not empty.
    emptyObjectsUnknown: true,
    transform: (schema: SchemaObject) => openSet(schema as Schema),
    silent: true,
  });
  return astToString(nodes);
}

/**
 * The type of an extensible enum: `"a" | "b" | (string & {})`, which editors complete and which accepts any string.
 * Undefined for other schemas, which the generator handles itself.
 */
function openSet(schema: Schema): ts.TypeNode | undefined {
  const known = schema["x-extensible-enum"];
  if (known === undefined) return undefined;
  const { factory } = ts;
  const anyString = factory.createParenthesizedType(
    factory.createIntersectionTypeNode([
      factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
      factory.createTypeLiteralNode([]),
    ]),
  );
  const values = known.map((value) => factory.createLiteralTypeNode(factory.createStringLiteral(value)));
  const nothing = schema.type?.includes("null") ? [factory.createLiteralTypeNode(factory.createNull())] : [];
  return factory.createUnionTypeNode([...values, anyString, ...nothing]);
}

/**
 * A copy of the document, adapted for openapi-typescript:
 *
 * - A property that is a `$ref` gets the description of its target, for the comment on the property.
 * - Response headers are inlined.
 * - A property that a variant excludes (`not: { required: [subject] }`) becomes `subject?: never`.
 * - An object with `x-variant-by-request` becomes a choice of its two variants.
 * - `additionalProperties: true` is removed: the name of an unknown property would otherwise be no type error.
 */
function typesSource(document: OpenApiDocument): OpenApiDocument {
  const copy = withHeaders(document);
  copy.components.schemas = mapValues(document.components.schemas ?? {}, (schema) =>
    mapSchema(schema, (inner) => excluding(byRequest(described(document, closed(inner))))),
  );
  return copy;
}

function byRequest(schema: Schema): Schema {
  if (schema["x-variant-by-request"] === undefined) return schema;
  const { title = "", description = "" } = schema;
  return { title, description, anyOf: [false, true].map((hasProperty) => variantOf(schema, hasProperty)) };
}

const closed = ({ additionalProperties, ...schema }: Schema): Schema =>
  additionalProperties === undefined || additionalProperties === true
    ? schema
    : { ...schema, additionalProperties };

function described(document: OpenApiDocument, schema: Schema): Schema {
  if (!isNode(schema.properties)) return schema;
  const properties = mapValues(schema.properties, (property) => {
    const target = property.$ref === undefined ? undefined : valueAtPointer(document, property.$ref);
    return isNode(target) ? { description: target.description, ...property } : property;
  });
  return { ...schema, properties: properties as Record<string, Schema> };
}

function excluding(schema: Schema): Schema {
  const { properties } = schema;
  if (!isNode(properties)) return schema;
  const names = excludedProperties(schema).filter((name) => !(name in properties));
  const never = Object.fromEntries(names.map((name): [string, unknown] => [name, false]));
  return { ...schema, properties: { ...properties, ...(never as Record<string, Schema>) } };
}

/** Response headers in place of their `$ref`s, behind which every one of them would be required. */
const withHeaders = (document: OpenApiDocument): OpenApiDocument =>
  JSON.parse(JSON.stringify(document), (_, value) =>
    isNode(value) && String(value.$ref).startsWith("#/components/headers/")
      ? dereference<Header>(document, value as Reference<Header>)
      : value,
  );
