import { mapValues } from "../../lib/map-values.ts";
import { valueAtPointer } from "../document/json-pointer.ts";
import { dereference } from "../document/references.ts";
import { mapSchema } from "../document/sub-schemas.ts";
import type {
  Header,
  OpenApiDocument,
  PathItem,
  Reference,
  ResponseObject,
  Schema,
} from "../document/types.ts";
import { isNode } from "../document/values.ts";

/**
 * The document as openapi-typescript is given it: a copy in which three things stand where the generator looks.
 *
 * - A property that is only a reference gets the description of its target, for the comment on the property.
 * - An answer's header stands in its place: behind a reference every header would count as always there.
 * - A field that a variant excludes (`not: { required: [subject] }`) becomes `subject?: never`.
 */
export function typesSource(document: OpenApiDocument): OpenApiDocument {
  const { schemas = {}, responses = {} } = document.components;
  return {
    ...document,
    paths: mapValues(document.paths, (item) => withHeaders(document, item)),
    components: {
      ...document.components,
      schemas: mapValues(schemas, (schema) =>
        mapSchema(schema, (inner) => excluding(described(document, inner))),
      ),
      responses: mapValues(responses, (answer) => inlineHeaders(document, answer)),
    },
  };
}

function described(document: OpenApiDocument, schema: Schema): Schema {
  if (!isNode(schema.properties)) return schema;
  const properties = mapValues(schema.properties, (property) => {
    const target = property.$ref === undefined ? undefined : valueAtPointer(document, property.$ref);
    return isNode(target) ? { description: target.description, ...property } : property;
  });
  return { ...schema, properties: properties as Record<string, Schema> };
}

function excluding(schema: Schema): Schema {
  const { not, properties } = schema;
  if (!isNode(not) || !isNode(properties)) return schema;
  const cases: unknown[] = Array.isArray(not.anyOf) ? not.anyOf : [not];
  const names = cases.flatMap((one) =>
    isNode(one) && Array.isArray(one.required) && one.required.length === 1 ? one.required : [],
  );
  const never = Object.fromEntries(
    names.filter((name) => !(name in properties)).map((name) => [name, false]),
  );
  return { ...schema, properties: { ...properties, ...(never as Record<string, Schema>) } };
}

function withHeaders(document: OpenApiDocument, item: PathItem): PathItem {
  return mapValues(item as Record<string, unknown>, (operation) =>
    isNode(operation) && isNode(operation.responses)
      ? {
          ...operation,
          responses: mapValues(operation.responses, (answer) =>
            inlineHeaders(document, answer as Reference<ResponseObject>),
          ),
        }
      : operation,
  ) as PathItem;
}

function inlineHeaders(
  document: OpenApiDocument,
  answer: Reference<ResponseObject>,
): Reference<ResponseObject> {
  if ("$ref" in answer || answer.headers === undefined) return answer;
  return { ...answer, headers: mapValues(answer.headers, (header) => dereference<Header>(document, header)) };
}
