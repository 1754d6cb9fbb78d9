import { pointerOf } from "./json-pointer.ts";
import { mediaTypes } from "./media-types.ts";
import { operationsOf, parametersOf } from "./operations.ts";
import { follow } from "./references.ts";
import { responses } from "./responses.ts";
import { subSchemas } from "./sub-schemas.ts";
import { entriesOf, isNode, type Node, nodeOf, oncePerDocument, type Path } from "./values.ts";

export type Use = "request" | "response";

/** A schema and its path. */
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

const bodies = (document: Node): Root[] =>
  mediaTypes(document).map(({ path, name, media, direction }) => ({
    path: [...path, "schema"],
    name,
    schema: media.schema,
    use: direction,
  }));

const parameters = (document: Node): Root[] =>
  operationsOf(document)
    .flatMap((operation) => parametersOf(document, operation))
    .map(({ path, value }) => ({
      path: [...path, "schema"],
      name: `the parameter ${value.name}`,
      schema: value.schema,
      use: "request",
    }));

const headers = (document: Node): Root[] =>
  responses(document).flatMap(({ path, response }) =>
    entriesOf(response.headers).map(([name, header]) => {
      const located = follow(document, [...path, "headers", name], header);
      return {
        path: [...located.path, "schema"],
        name: `the header ${name}`,
        schema: located.value.schema,
        use: "response",
      };
    }),
  );

/** The components, which include schemas that nothing references. */
const components = (document: Node): Root[] => {
  const { schemas, ...owners } = nodeOf(document.components);
  return [
    ...entriesOf(schemas).map(([name, schema]) => ({ path: ["components", "schemas", name], name, schema })),
    ...["parameters", "headers"].flatMap((kind) =>
      entriesOf(owners[kind]).map(([name, owner]) => ({
        path: ["components", kind, name, "schema"],
        name: `the ${kind.slice(0, -1)} ${name}`,
        schema: owner.schema,
      })),
    ),
  ];
};

/** Every schema of the document, once, with its uses. */
export const schemas = oncePerDocument((document): PlacedSchema[] => {
  const found = new Map<string, PlacedSchema>();
  const visit = (root: Root, property?: string, condition = false): void => {
    if (!isNode(root.schema)) return;
    const key = pointerOf(root.path);
    const known = found.get(key);
    if (known && (root.use === undefined || known.uses.has(root.use))) return;
    const place = known ?? {
      path: root.path,
      schema: root.schema,
      name: root.name,
      property,
      condition,
      uses: new Set(),
    };
    found.set(key, place);
    if (root.use !== undefined) place.uses.add(root.use);
    for (const part of subSchemas(root.schema))
      visit(
        { ...root, path: [...root.path, ...part.path], name: root.name + part.suffix, schema: part.schema },
        part.property,
        condition || part.condition,
      );
    const { path, value } = follow(document, root.path, root.schema);
    if (path !== root.path && path[0] === "components")
      visit({ ...root, path, name: String(path[2]), schema: value });
  };
  for (const roots of [bodies, parameters, headers, components])
    for (const root of roots(document)) visit(root);
  return [...found.values()];
});
