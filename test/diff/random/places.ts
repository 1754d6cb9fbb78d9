import { valueAt } from "../../../scripts/document/json-pointer.ts";
import { isNode, listOf, type Node, nodeOf, type Path, textOf } from "../../../scripts/document/values.ts";

/** What a part of the document is for. */
export interface Uses {
  request: boolean;
  answer: boolean;
}

/** A schema of the document, wherever it stands. */
export interface SchemaPlace extends Uses {
  path: Path;
  /** Whether it says what a value must not be, or holds only under a condition: there more may allow less. */
  isRule: boolean;
}

/** What every component is for: a reading of its own, so that a fault of the comparison's is seen. */
function usesOfComponents(document: Node): (kind: string, name: string) => Uses {
  const reached = { request: new Set<string>(), answer: new Set<string>() };
  const follow = (value: unknown, found: Set<string>): void => {
    for (const [reference] of JSON.stringify(value ?? null).matchAll(/#\/components\/\w+\/[\w-]+/g)) {
      if (found.has(reference)) continue;
      found.add(reference);
      follow(valueAt(document, reference.slice(2).split("/")), found);
    }
  };
  for (const { operation } of operationPlaces(document)) {
    follow([operation.parameters, operation.requestBody], reached.request);
    follow(operation.responses, reached.answer);
  }
  follow(document["x-gateway-responses"], reached.answer);
  return (kind, name) => {
    const reference = `#/components/${kind}/${name}`;
    return { request: reached.request.has(reference), answer: reached.answer.has(reference) };
  };
}

/** Every operation, and the path to it. */
export function operationPlaces(document: Node): { path: Path; operation: Node }[] {
  return Object.entries(nodeOf(document.paths)).flatMap(([address, item]) =>
    Object.entries(nodeOf(item)).flatMap(([method, operation]) =>
      isNode(operation) && "responses" in operation ? [{ path: ["paths", address, method], operation }] : [],
    ),
  );
}

/** Every schema that is written out somewhere; references are left to where they lead. */
export function schemaPlaces(document: Node): SchemaPlace[] {
  const usesOf = usesOfComponents(document);
  const components = nodeOf(document.components);
  const places = Object.entries(nodeOf(components.schemas)).flatMap(([name, schema]) =>
    within(schema, { path: ["components", "schemas", name], isRule: false, ...usesOf("schemas", name) }),
  );
  for (const kind of ["parameters", "headers"]) {
    for (const [name, part] of Object.entries(nodeOf(components[kind]))) {
      const path = ["components", kind, name, "schema"];
      places.push(...within(nodeOf(part).schema, { path, isRule: false, ...usesOf(kind, name) }));
    }
  }
  return places;
}

function within(schema: unknown, place: SchemaPlace): SchemaPlace[] {
  if (!isNode(schema) || textOf(schema.$ref) !== "") return [];
  const inner = (value: unknown, steps: Path, isRule = false): SchemaPlace[] =>
    within(value, { ...place, path: [...place.path, ...steps], isRule: place.isRule || isRule });
  return [
    place,
    ...Object.entries(nodeOf(schema.properties)).flatMap(([name, one]) => inner(one, ["properties", name])),
    ...["items", "additionalProperties"].flatMap((key) => inner(schema[key], [key])),
    ...["oneOf", "anyOf"].flatMap((key) =>
      listOf(schema[key]).flatMap((one, index) => inner(one, [key, index])),
    ),
    ...["not", "if", "then", "propertyNames"].flatMap((key) => inner(schema[key], [key], true)),
  ];
}
