import type { Row } from "../../generated/client/table.ts";
import type { ClientOptions, IdempotentRequestOptions } from "./options.ts";
import { type ResponseHandler, sendRequest } from "./request.ts";
import { type ApiPromise, type ApiResponse, toApiResponse } from "./response.ts";
import { checkedBaseUrl, checkIdempotencyKey, checkKey, encoded } from "./validate.ts";

/** Sends requests to the API: the first argument of every operation. */
export type Connection = <Data>(
  row: Row,
  body?: unknown,
  options?: IdempotentRequestOptions,
) => ApiPromise<Data>;

/**
 * Creates the function that sends requests with an API key. The key is kept in a closure, so that printing or serializing
 * the connection does not show it.
 * @throws TypeError if an option is invalid, or in a browser page (AUTH-6)
 */
export function connect(options: ClientOptions): Connection {
  // Without options, or with null, the key is missing.
  const { key, baseUrl, ...shared } = options ?? {};
  checkKey(key, shared);
  const base = checkedBaseUrl(baseUrl, key, shared);
  return <Data>(row: Row, body?: unknown, own?: IdempotentRequestOptions) => {
    const send = async (): Promise<ApiResponse<Data>> => {
      const [method, path, idempotent] = row;
      const idempotencyKey = idempotent && (own?.idempotencyKey ?? crypto.randomUUID());
      if (idempotent) checkIdempotencyKey(idempotencyKey as string);
      const resolved: Record<string, unknown> = { ...own };
      // An option that is undefined has the value of the client, as one that is missing.
      for (const name in shared) resolved[name] ??= (shared as typeof resolved)[name];
      return sendRequest(
        {
          method,
          url: base + path,
          headers: {
            authorization: `Bearer ${key}`,
            accept: "application/json",
            "content-type": "application/json",
            ...(idempotencyKey && { "idempotency-key": idempotencyKey }),
          },
          body: JSON.stringify(body),
          secret: key,
          idempotencyKey,
        },
        resolved,
        toApiResponse as ResponseHandler<ApiResponse<Data>>,
      );
    };
    const response = send();
    const data = response.then((one) => one.data);
    // Derived from `data`, so that a failure is reported to one promise only.
    return Object.assign(data, { withResponse: () => data.then(() => response) });
  };
}

/**
 * Fills in and encodes the path parameter of an operation. One that a URL cannot have is a TypeError that rejects the request:
 * the row is evaluated when it is sent.
 */
export const withPathParameter = (row: Row, parameter: string): Row =>
  lazily(row, parameter) as Iterable<unknown> as Row;

function* lazily([method, path, ...rest]: Row, parameter: string) {
  yield method;
  yield path.replace(/\{(\w+)\}/, (_, name: string) => encoded(name, parameter));
  yield* rest;
}

/** A value of a query parameter; an array repeats the parameter. */
type QueryValue = string | number | boolean | undefined | readonly (string | number | boolean)[];

/** Adds query parameters to an operation, in the order of the document; undefined ones are left out. */
export function withQuery<Query extends { readonly [Name in keyof Query]: QueryValue }>(
  [method, path, idempotent, names = []]: Row,
  query: Query,
): Row {
  const search = new URLSearchParams();
  for (const name of names)
    for (const value of [query[name as keyof Query] ?? []].flat()) search.append(name, `${value}`);
  return [method, search.size > 0 ? `${path}?${search}` : path, idempotent];
}
