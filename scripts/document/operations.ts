import { follow } from "./references.ts";
import { entriesOf, type Located, listOf, type Node, oncePerDocument, type Path, textOf } from "./values.ts";

/** JSON path (for `given`) of every operation. */
export const eachOperation = "$.paths[*][get,put,post,patch,delete]";

const methods = new Set(["get", "put", "post", "patch", "delete", "head", "options", "trace"]);

/** An operation, where it stands, and what messages call it: its operationId, else method and address. */
export interface OperationPlace {
  path: Path;
  address: string;
  method: string;
  name: string;
  operation: Node;
}

/** Every operation of the document in its order. */
export const operations = oncePerDocument((document): OperationPlace[] =>
  entriesOf(document.paths).flatMap(([address, item]) =>
    entriesOf(item)
      .filter(([method]) => methods.has(method))
      .map(([method, operation]) => ({
        path: ["paths", address, method],
        address,
        method,
        name: textOf(operation.operationId) || `${method.toUpperCase()} ${address}`,
        operation,
      })),
  ),
);

/** The operation that stands at the path which Spectral hands to a rule given `eachOperation`. */
export const operationAt = (document: Node, path: Path): OperationPlace => {
  const found = operations(document).find(
    ({ path: [, address, method] }) => address === path[1] && method === path[2],
  );
  if (found === undefined) throw new Error(`no operation at ${path.join("/")}`);
  return found;
};

/** The parameters of an operation, its own and those of its address, with `$ref`s followed. */
export const parametersOf = (document: Node, { path, address, operation }: OperationPlace): Located[] => {
  const item: Path = ["paths", address];
  const lists: [Path, unknown][] = [
    [[...item, "parameters"], entriesOf(document.paths).find(([key]) => key === address)?.[1].parameters],
    [[...path, "parameters"], operation.parameters],
  ];
  return lists.flatMap(([place, list]) =>
    listOf(list).map((parameter, index) => follow(document, [...place, index], parameter)),
  );
};

/** The names of an operation's tags. */
export const tagsOf = ({ operation }: OperationPlace): string[] =>
  listOf(operation.tags).filter((tag) => typeof tag === "string");
