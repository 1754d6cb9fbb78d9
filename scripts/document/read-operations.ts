import { resolved } from "./pointer.ts";
import type { Method, OpenApiDocument, Operation, Parameter, PathItem } from "./types.ts";

/** One operation of the document together with where it stands. */
export interface PlacedOperation {
  id: string;
  path: string;
  method: Method;
  operation: Operation;
  /** Its own parameters and those of its address. */
  parameters: Parameter[];
}

const methods: readonly Method[] = ["get", "post", "put", "patch", "delete"];

/** The operations of the document in the order in which they are written. */
export function operationsOf(document: OpenApiDocument): PlacedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methodsOf(item).map((method) => {
      const operation = item[method] as Operation;
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
      return {
        id: operation.operationId,
        path,
        method,
        operation,
        parameters: parameters.map((parameter) => resolved<Parameter>(document, parameter)),
      };
    }),
  );
}

/** The methods that an address takes, in one order. */
export const methodsOf = (item: PathItem): Method[] => methods.filter((method) => item[method] !== undefined);
