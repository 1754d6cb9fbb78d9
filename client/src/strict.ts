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

/** What a call may be given: nothing else, and nothing misspelt. */
export type StrictOptions<Operation> = BodyOption<Operation> &
  ParametersOption<Operation> & {
    signal?: AbortSignal | undefined;
    headers?: Record<string, string> | undefined;
  };

/** The answer of one status. */
type StatusResult<Status, Answer> = Status extends 200 | 201 | 202 | 203 | "2XX"
  ? { data: JsonOf<Answer>; error?: never; response: ResponseOf<Status> }
  : { data?: never; error: JsonOf<Answer>; response: ResponseOf<Status> };

type ResponseOf<Status> = Omit<Response, "status"> & {
  readonly status: Status extends number ? Status : number;
};

/** What a call answers: one case for each status. */
export type StrictResult<Operation> = Operation extends { responses: infer Answers }
  ? { [Status in keyof Answers]: StatusResult<Status, Answers[Status]> }[keyof Answers]
  : never;

type Taking<Paths, Method extends string> = {
  [Path in keyof Paths]: Paths[Path] extends Record<Method, object> ? Path : never;
}[keyof Paths];

type OperationAt<Paths, Path extends keyof Paths, Method extends string> =
  Paths[Path] extends Record<Method, infer Operation> ? Operation : never;

type StrictMethod<Paths, Method extends string> = <Path extends Taking<Paths, Method>>(
  path: Path,
  ...options: Record<string, never> extends StrictOptions<OperationAt<Paths, Path, Method>>
    ? [options?: StrictOptions<OperationAt<Paths, Path, Method>>]
    : [options: StrictOptions<OperationAt<Paths, Path, Method>>]
) => Promise<StrictResult<OperationAt<Paths, Path, Method>>>;

/** A client of openapi-fetch that takes only what the contract knows, and tells answers apart by their status. */
export interface StrictClient<Paths = paths> {
  GET: StrictMethod<Paths, "get">;
  POST: StrictMethod<Paths, "post">;
  PATCH: StrictMethod<Paths, "patch">;
  DELETE: StrictMethod<Paths, "delete">;
}

/** The same client under stricter types: `strict(createClient<paths>({ ... }))`. Nothing happens at run time. */
export const strict = <Paths = paths>(client: Record<keyof StrictClient, unknown>): StrictClient<Paths> =>
  client as StrictClient<Paths>;

/** Whether an answer has a status; narrows it to that case. */
export const hasStatus = <Result extends { response: { status: number } }, Status extends number>(
  result: Result,
  status: Status,
): result is Extract<Result, { response: { readonly status: Status } }> => result.response.status === status;
