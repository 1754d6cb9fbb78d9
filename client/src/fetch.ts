// The second entry point: retries and idempotency keys as a `fetch`, for openapi-fetch and programs with requests of their own.
import type { paths } from "../../generated/client/paths.ts";
import type { SharedOptions } from "./options.ts";
import type { ResponseHandler } from "./request.ts";
import {
  checkIdempotencyKey,
  checkKey,
  checkSecure,
  encoded,
  idempotentOperations,
  sendRequest,
  serviceRequestIdHeader,
  toApiResponse,
} from "./shared.ts";

export type { paths } from "../../generated/client/paths.ts";
export type { AttemptOptions, Hook, RequestEvent, SharedOptions } from "./options.ts";
export {
  ApiError,
  ConnectionError,
  createLimiter,
  hooks,
  RequestError,
  TimeoutError,
} from "./shared.ts";

export interface ReliableFetchOptions extends SharedOptions {
  /** The API key, kept in a closure. Without it, requests need an `Authorization` header of their own. */
  key?: string | undefined;
}

/**
 * Creates a `fetch` with the retries, idempotency keys and timeouts of the client. Like `fetch`, it resolves whatever the status.
 * A failure without a readable body gets an error body with an empty type, so that no caller takes it for a success.
 *
 * The promise rejects with a `ConnectionError`, a `TimeoutError`, the reason of the signal, with an `ApiError` for a success
 * whose body cannot be read, or with a `TypeError` for an unencrypted request to another host (GEN-2).
 * @throws TypeError if an option is invalid, or in a browser page (AUTH-6)
 */
export function reliableFetch(
  options?: ReliableFetchOptions,
): (input: Request | string | URL, init?: RequestInit) => Promise<Response> {
  const { key, ...shared } = options ?? {};
  // Without a key, requests have their own.
  checkKey(key ?? "-", shared);
  return async (input, init) => {
    const request = new Request(input, init);
    const { method, url, signal } = request;
    checkSecure("the URL", url, shared);
    const headers = Object.fromEntries(request.headers);
    if (key !== undefined) headers.authorization = `Bearer ${key}`;
    let idempotencyKey: string | undefined;
    if (isIdempotent(method, url)) {
      idempotencyKey = headers["idempotency-key"] ?? crypto.randomUUID();
      checkIdempotencyKey(idempotencyKey);
      headers["idempotency-key"] = idempotencyKey;
    }
    const body = request.body ? await request.text() : undefined;
    const secret = headers.authorization?.replace(/^bearer +/i, "") ?? "";
    const prepared = { method, url, headers, body, idempotencyKey, secret };
    // Kept until the end: the signal of a request that is collected as garbage no longer follows that of the caller.
    return sendRequest(prepared, { ...shared, signal }, toResponse).finally(() => [input, request]);
  };
}

/** Whether the operation takes an idempotency key. The base URL may have a path. */
function isIdempotent(method: string, url: string): boolean {
  const { pathname } = new URL(url);
  return idempotentOperations.some(([other, path]) => method === other && pathname.endsWith(path));
}

/** The last response with the body that was read from it. */
const toResponse: ResponseHandler<Response> = (response, details, data, error, retryAfter, note) => {
  const { status, statusText, ok } = response;
  // A `Response` with one of these statuses cannot have a body.
  const isBodyless = status < 200 || status === 304;
  if (isBodyless || (ok && !data)) toApiResponse(response, details, undefined, error, retryAfter, note);
  const headers = new Headers(response.headers);
  for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  headers.set("content-type", "application/json");
  const { type = "", message = "no readable body" } = error;
  const failure = {
    error: { request_id: headers.get(serviceRequestIdHeader), ...error, type, message: `${message}${note}` },
  };
  return new Response(JSON.stringify(ok ? data : failure), { status, statusText, headers });
};

/**
 * Fills in and encodes path parameters: the `pathSerializer` for openapi-fetch.
 * @throws TypeError for a parameter that a URL cannot have
 */
export const safePath = (path: string, parameters: Record<string, unknown>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(name, parameters[name]));

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
type StrictOptions<Operation> = BodyOption<Operation> &
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
