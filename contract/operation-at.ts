import { type OperationId, operations } from "../generated/operations.ts";

const patterns = (Object.keys(operations) as OperationId[]).map((id) => {
  const { method, path } = operations[id];
  return { id, method, path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`) };
});

/** The operation of a request; undefined if there is none. */
export const operationAt = (method: string, path: string): OperationId | undefined =>
  patterns.find((one) => one.method === method && one.path.test(path))?.id;
