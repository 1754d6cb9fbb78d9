// The second face: the policy of the client as a `fetch`, for openapi-fetch and for programs that write their own requests.
import type { Settle } from "./exchange.ts";
import type { Policy } from "./settings.ts";
import {
  addressForm,
  answerOf,
  exchange,
  idempotencyKeyPattern,
  idempotentOperations,
  keyForm,
  notInPage,
  parameterForm,
  requestIdHeader,
  usable,
} from "./shared.ts";

export type { paths } from "../../generated/client/paths.ts";
export type { CallEvent, Hook } from "./events.ts";
export type { Limits, Policy } from "./settings.ts";
export { ApiError, CallError, ConnectionError, createLimiter, hooks, TimeoutError } from "./shared.ts";
export { hasStatus, type StrictClient, type StrictResult, strict } from "./strict.ts";

/** How a reliable fetch is made. */
export interface ReliableOptions extends Policy {
  /** The API key. It is kept in a closure, and shown by nothing. Without it, requests bring their own `Authorization`. */
  key?: string | undefined;
}

/**
 * A `fetch` with the retries, idempotency keys and time limits of the client. It answers as `fetch` does, whatever the status.
 * A failure without a body of its own gets one in the shape of an error, with an empty type, so that no caller takes it for a success.
 *
 * The promise is rejected with a `ConnectionError`, a `TimeoutError`, the reason of the signal, or an `ApiError` for a success
 * whose body cannot be read.
 *
 * A request that would go out unencrypted, to another machine than this one, is refused with a `TypeError` (GEN-2).
 *
 * @throws TypeError where the key cannot be used, or in a browser page (AUTH-6)
 */
export function reliableFetch({
  key,
  ...policy
}: ReliableOptions = {}): (input: Request | string | URL, init?: RequestInit) => Promise<Response> {
  if (key !== undefined) usable("key", keyForm, key);
  notInPage(policy);
  return async (input, init) => {
    const request = new Request(input, init);
    const { method, url, signal } = request;
    usable("url", addressForm, url);
    const headers = Object.fromEntries(request.headers);
    if (key !== undefined) headers.authorization = `Bearer ${key}`;
    let idempotencyKey: string | undefined;
    if (takesKey(method, url)) {
      idempotencyKey = headers["idempotency-key"] ?? crypto.randomUUID();
      headers["idempotency-key"] = usable("idempotencyKey", idempotencyKeyPattern, idempotencyKey);
    }
    const body = request.body ? await request.text() : undefined;
    // Without a key there is nothing to hide: no text of JSON has this character.
    const secret = headers.authorization?.replace(/^bearer +/i, "") || "\0";
    return exchange(
      { method, url, headers, body, idempotencyKey, secret },
      { ...policy, signal },
      asResponse,
    );
  };
}

/** Whether this is a call that takes an idempotency key; the API may stand below a path of its own. */
function takesKey(method: string, url: string): boolean {
  const { pathname } = new URL(url);
  return idempotentOperations.some(
    ([keyedMethod, path]) => method === keyedMethod && pathname.endsWith(path),
  );
}

/** The last answer with the body that was read from it. */
const asResponse: Settle<Response> = (response, about, data, error, retryAfter, note) => {
  const { status, statusText, ok } = response;
  // These cannot have a body, and 0 is no status of an answer at all.
  const bare = status < 200 || status === 304;
  if (bare || (ok && !data)) answerOf(response, about, undefined, error, retryAfter, note);
  const headers = new Headers(response.headers);
  for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  headers.set("content-type", "application/json");
  const { type = "", message = "no readable body" } = error;
  const failure = {
    error: { request_id: headers.get(requestIdHeader), ...error, type, message: `${message}${note}` },
  };
  return new Response(JSON.stringify(ok ? data : failure), { status, statusText, headers });
};

/**
 * Puts the parameters into a path, encoded: give it to openapi-fetch as `pathSerializer`.
 *
 * @throws TypeError for a parameter that would lead to another address
 */
export const safePath = (path: string, parameters: Record<string, unknown>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name];
    return encodeURIComponent(
      usable("path parameter", parameterForm, typeof value === "string" ? value : ""),
    );
  });
