import { valueAt } from "../../../scripts/document/json-pointer.ts";
import { isNode, listOf, type Node, nodeOf, type Path, textOf } from "../../../scripts/document/values.ts";

/** The directions in which a part of the document is used. */
export interface Uses {
  request: boolean;
  response: boolean;
}

/** A schema of the document, wherever it stands. */
export interface SchemaPlace extends Uses {
  path: Path;
  /** Whether it is below `not` or a condition, where a wider schema may accept less. */
  isConstraint: boolean;
}

/** The uses of every component, computed independently of the comparison. */
function usesOfComponents(document: Node): (kind: string, name: string) => Uses {
  const reached = { request: new Set<string>(), response: new Set<string>() };
  const follow = (value: unknown, found: Set<string>): void => {
    for (const [reference] of JSON.stringify(value ?? null).matchAll(/#\/components\/\w+\/[\w-]+/g)) {
      if (found.has(reference)) continue;
      found.add(reference);
      follow(valueAt(document, reference.slice(2).split("/")), found);
    }
  };
  for (const { operation } of operationPlaces(document)) {
    follow([operation.parameters, operation.requestBody], reached.request);
    follow(operation.responses, reached.response);
  }
  follow(document["x-gateway-responses"], reached.response);
  return (kind, name) => {
    const reference = `#/components/${kind}/${name}`;
    return { request: reached.request.has(reference), response: reached.response.has(reference) };
  };
}

/** Every operation, and the path to it. */
export function operationPlaces(document: Node): { path: Path; operation: Node }[] {
  return Object.entries(nodeOf(document.paths)).flatMap(([path, item]) =>
    Object.entries(nodeOf(item)).flatMap(([method, operation]) =>
      isNode(operation) && "responses" in operation ? [{ path: ["paths", path, method], operation }] : [],
    ),
  );
}

/** Every schema that is not a `$ref`. */
export function schemaPlaces(document: Node): SchemaPlace[] {
  const usesOf = usesOfComponents(document);
  const components = nodeOf(document.components);
  const places = Object.entries(nodeOf(components.schemas)).flatMap(([name, schema]) =>
    within(schema, {
      path: ["components", "schemas", name],
      isConstraint: false,
      ...usesOf("schemas", name),
    }),
  );
  for (const kind of ["parameters", "headers"]) {
    for (const [name, part] of Object.entries(nodeOf(components[kind]))) {
      const path = ["components", kind, name, "schema"];
      places.push(...within(nodeOf(part).schema, { path, isConstraint: false, ...usesOf(kind, name) }));
    }
  }
  return places;
}

function within(schema: unknown, place: SchemaPlace): SchemaPlace[] {
  if (!isNode(schema) || textOf(schema.$ref) !== "") return [];
  const inner = (value: unknown, steps: Path, isConstraint = false): SchemaPlace[] =>
    within(value, {
      ...place,
      path: [...place.path, ...steps],
      isConstraint: place.isConstraint || isConstraint,
    });
  return [
    place,
    ...Object.entries(nodeOf(schema.properties)).flatMap(([name, one]) => inner(one, ["properties", name])),
    ...["items", "additionalProperties"].flatMap((key) => inner(schema[key], [key])),
    ...["oneOf", "anyOf"].flatMap((key) =>
      listOf(schema[key]).flatMap((one, index) => inner(one, [key, index])),
    ),
    ...["not", "if", "then", "else", "propertyNames"].flatMap((key) => inner(schema[key], [key], true)),
  ];
}
