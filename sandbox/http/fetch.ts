import type { ApiRequest } from "../api/context.ts";
import { largestBody } from "./body.ts";
import type { HttpResponse } from "./node.ts";

/** Like the global `fetch`, without a network. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Statuses whose answers have no body. */
const bodiless = new Set([204, 205, 304]);

/**
 * Makes a `fetch` that is answered right here. Addresses without a host are taken to be on `base`.
 *
 * @returns a function that rejects like `fetch` does: with the signal's reason when aborted, and with a TypeError when the connection was to break
 */
export function createFetch(handle: (request: ApiRequest) => Promise<HttpResponse>, base: string): Fetch {
  return async (input, init) => {
    const request = new Request(typeof input === "string" ? new URL(input, base) : input, init);
    request.signal.throwIfAborted();
    const answered = readRequest(request).then(handle);
    const answer = await Promise.race([answered, aborted(request.signal)]);
    if (answer.cut) throw new TypeError("fetch failed", { cause: new Error("The connection was cut.") });
    const empty = request.method === "HEAD" || bodiless.has(answer.status);
    return new Response(empty ? null : (answer.body as ConstructorParameters<typeof Response>[0]), {
      status: answer.status,
      headers: answer.headers,
    });
  };
}

async function readRequest(request: Request): Promise<ApiRequest> {
  const url = new URL(request.url);
  const bytes = request.body === null ? null : new Uint8Array(await request.arrayBuffer());
  const headers: Record<string, string | undefined> = { host: url.host };
  for (const [name, value] of request.headers) headers[name] = value;
  const tooLarge = bytes !== null && bytes.length > largestBody;
  const call: ApiRequest = {
    method: request.method,
    target: url.pathname + url.search,
    headers,
    body: tooLarge ? null : bytes,
  };
  if (tooLarge) call.bodyOmitted = "too large";
  return call;
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
