import type { paths } from "../../generated/client/paths.ts";

type JsonOf<Part> = Part extends { content: { "application/json": infer Value } } ? Value : never;

type BodyOption<Operation> = Operation extends { requestBody: infer Body }
  ? { body: JsonOf<Body> }
  : Operation extends { requestBody?: infer Body }
    ? [JsonOf<Body>] extends [never]
      ? { body?: never }
      : { body?: JsonOf<Body> }
    : { body?: never };

type ParametersOption<Operation> = Operation extends { parameters: infer Parameters }
  ? Record<string, never> extends Parameters
    ? { params?: Parameters }
    : { params: Parameters }
  : { params?: never };

/** The options of a request, without unknown keys. */
export type StrictOptions<Operation> = BodyOption<Operation> &
  ParametersOption<Operation> & {
    signal?: AbortSignal | undefined;
    headers?: Record<string, string> | undefined;
  };

/** The result for one status. */
type StatusResult<Status, Body> = Status extends 200 | 201 | 202 | 203 | "2XX"
  ? { data: JsonOf<Body>; error?: never; response: ResponseOf<Status> }
  : { data?: never; error: JsonOf<Body>; response: ResponseOf<Status> };

type ResponseOf<Status> = Omit<Response, "status"> & {
  readonly status: Status extends number ? Status : number;
};

/** The result of a request: a union with one member for each status. */
export type StrictResult<Operation> = Operation extends { responses: infer Responses }
  ? { [Status in keyof Responses]: StatusResult<Status, Responses[Status]> }[keyof Responses]
  : never;

type PathsWith<Paths, Method extends string> = {
  [Path in keyof Paths]: Paths[Path] extends Record<Method, object> ? Path : never;
}[keyof Paths];

type OperationAt<Paths, Path extends keyof Paths, Method extends string> =
  Paths[Path] extends Record<Method, infer Operation> ? Operation : never;

type StrictMethod<Paths, Method extends string> = <Path extends PathsWith<Paths, Method>>(
  path: Path,
  ...options: Record<string, never> extends StrictOptions<OperationAt<Paths, Path, Method>>
    ? [options?: StrictOptions<OperationAt<Paths, Path, Method>>]
    : [options: StrictOptions<OperationAt<Paths, Path, Method>>]
) => Promise<StrictResult<OperationAt<Paths, Path, Method>>>;

/** An openapi-fetch client that accepts known options only and narrows responses by their status. */
export interface StrictClient<Paths = paths> {
  GET: StrictMethod<Paths, "get">;
  POST: StrictMethod<Paths, "post">;
  PATCH: StrictMethod<Paths, "patch">;
  DELETE: StrictMethod<Paths, "delete">;
}

/** The same client with stricter types: `strict(createClient<paths>({ ... }))`. Does nothing at run time. */
export const strict = <Paths = paths>(client: Record<keyof StrictClient, unknown>): StrictClient<Paths> =>
  client as StrictClient<Paths>;

/** Whether a result has a status; narrows it. */
export const hasStatus = <Result extends { response: { status: number } }, Status extends number>(
  result: Result,
  status: Status,
): result is Extract<Result, { response: { readonly status: Status } }> => result.response.status === status;
