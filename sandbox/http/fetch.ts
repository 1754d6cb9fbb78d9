import { type ApiRequest, bodyLimits, type HttpResponse } from "../api/context.ts";

/** Like the global `fetch`, without a network. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Statuses without a body. */
const bodiless = new Set([204, 205, 304]);

/**
 * Creates a `fetch` that calls a handler. Relative URLs are resolved against `base`.
 * @returns a function that rejects like `fetch`: with the signal's reason when aborted, with a TypeError when the handler closes the connection
 */
export const createFetch =
  (handle: (request: ApiRequest) => Promise<HttpResponse>, base: string): Fetch =>
  async (input, init) => {
    const request = new Request(typeof input === "string" ? new URL(input, base) : input, init);
    request.signal.throwIfAborted();
    const response = await Promise.race([readRequest(request).then(handle), aborted(request.signal)]);
    if (response.cut) throw new TypeError("fetch failed", { cause: new Error("The connection was cut.") });
    const empty = request.method === "HEAD" || bodiless.has(response.status);
    return new Response(empty ? null : (response.body as ConstructorParameters<typeof Response>[0]), {
      status: response.status,
      headers: response.headers,
    });
  };

async function readRequest(request: Request): Promise<ApiRequest> {
  const { host, pathname, search } = new URL(request.url);
  const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer());
  const headers = { host, ...Object.fromEntries(request.headers) };
  const read = { method: request.method, target: pathname + search, headers };
  const tooLarge = body !== null && body.length > bodyLimits.api;
  return tooLarge ? { ...read, body: null, bodyOmitted: "too large" } : { ...read, body };
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
