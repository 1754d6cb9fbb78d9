import openapiTS, { astToString, type OpenAPI3, type SchemaObject } from "openapi-typescript";
import ts from "typescript";
import { header } from "../common/notice.ts";
import type { OpenApiDocument, Schema } from "../document/types.ts";
import { typesSource } from "./types-source.ts";

/** The TypeScript types of the document (`paths`, `components`, `operations`). */
export async function typesFile(document: OpenApiDocument): Promise<string> {
  // The generator bundles its input in place, which would remove the `$ref`s of the x- tables.
  const source = structuredClone(typesSource(document));
  const nodes = await openapiTS(source as unknown as OpenAPI3, {
    // A property with a default is optional in requests.
    defaultNonNullable: false,
    // An object without properties is open, not empty.
    emptyObjectsUnknown: true,
    transform: (schema: SchemaObject) => openSet(schema as Schema),
    silent: true,
  });
  return `${header}${astToString(nodes)}`;
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
