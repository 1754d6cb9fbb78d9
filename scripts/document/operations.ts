import { valueAt } from "./json-pointer.ts";
import { follow } from "./references.ts";
import type { Method, OpenApiDocument, Operation, Parameter, PathItem } from "./types.ts";
import {
  entriesOf,
  listOf,
  type Node,
  nodeOf,
  oncePerDocument,
  type Path,
  rowsOf,
  textOf,
  textsOf,
} from "./values.ts";

const methods: readonly string[] = ["get", "put", "post", "patch", "delete", "head", "options", "trace"];

export const isMethod = (key: string): key is Method => methods.includes(key);

/** An operation with its path and method. */
export interface PlacedOperation<Value = Operation, ParameterValue = Parameter> {
  /** The operationId, else method and path. */
  id: string;
  /** The path template. */
  path: string;
  method: Method;
  /** `["paths", path, method]`, unless the path is a `$ref`. */
  location: Path;
  operation: Value;
  /** Its own parameters and those of its path, with `$ref`s followed. */
  parameters: ParameterValue[];
}

/** An operation of a document that may be invalid. */
export type PlacedNode = PlacedOperation<Node, Node>;

/** Every operation in the order of the document. A document must not change after the first call. */
export function operationsOf(document: OpenApiDocument): PlacedOperation[];
export function operationsOf(document: Node): PlacedNode[];
export function operationsOf(document: OpenApiDocument | Node): PlacedOperation[] | PlacedNode[] {
  return listed(document as Node);
}

const listed = oncePerDocument((document): PlacedNode[] =>
  entriesOf(document.paths).flatMap(([path, value]) => {
    const item = follow(document, ["paths", path], value);
    return methodsOf(item.value).map((method) => {
      const operation = nodeOf(item.value[method]);
      const place = { path, method, location: [...item.path, method], operation };
      return {
        id: textOf(operation.operationId) || `${method.toUpperCase()} ${path}`,
        ...place,
        parameters: parametersOf(document, place).map((parameter) => parameter.value),
      };
    });
  }),
);

/** The methods of a path, in the order of the document. */
export const methodsOf = (item: PathItem | Node): Method[] =>
  entriesOf(item)
    .map(([key]) => key)
    .filter(isMethod);

/** The parameters of an operation and of its path, each with the path of its definition and that in the list. */
export const parametersOf = (document: Node, { location }: Pick<PlacedNode, "location">) =>
  [location.slice(0, -1), location].flatMap((owner) => {
    const list = [...owner, "parameters"];
    return listOf(valueAt(document, list)).map((parameter, index) => {
      const listed: Path = [...list, index];
      return { ...follow(document, listed, parameter), listed };
    });
  });

/** The abilities that an operation requires of the key; none if that is unspecified. */
export const abilitiesOf = ({ security }: { security?: unknown }): string[] =>
  rowsOf(security).flatMap(([, scheme]) => Object.values(scheme).flatMap(textsOf));

export const isIdempotencyKey = (parameter: { name?: unknown; in?: unknown }): boolean =>
  parameter.in === "header" && parameter.name === "Idempotency-Key";

export const tagsOf = ({ operation }: PlacedNode): string[] => textsOf(listOf(operation.tags));
