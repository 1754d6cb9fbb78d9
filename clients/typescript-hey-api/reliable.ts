// Retries, idempotency keys and a timeout for a client that hey-api generated.
import { setTimeout } from "node:timers/promises";
import { type Client, createClient, createConfig } from "./client/client";

const attempts = 4;
const withKey = /^POST .*\/api\/v1\/(emails|emails\/batch|newsletter\/contacts)$/;

/** `Retry-After` in milliseconds, from seconds or a date; 0 without one. */
function retryAfter(headers: Headers): number {
  const value = headers.get("Retry-After") ?? "0";
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Math.max(0, milliseconds || 0);
}

/** Sends a request once, and reads its body: the connection can break within it. */
async function send(request: Request, signal: AbortSignal): Promise<{ response: Response; text: string }> {
  const response = await fetch(request.clone(), { redirect: "manual", signal });
  const text = await response.text();
  if (response.ok) JSON.parse(text);
  return { response: new Response(text === "" ? null : text, response), text };
}

/** A fetch that sends a request up to four times, if that is safe. */
async function reliableFetch(request: Request, timeout: number): Promise<Response> {
  const { hostname, pathname, protocol } = new URL(request.url);
  if (protocol !== "https:" && !["127.0.0.1", "localhost"].includes(hostname))
    throw new TypeError("the base URL must start with https://");
  const { headers, method } = request;
  headers.set("Accept", "application/json");
  // One key for each piece of work: all attempts have it.
  if (withKey.test(`${method} ${pathname}`) && !headers.has("Idempotency-Key"))
    headers.set("Idempotency-Key", crypto.randomUUID());
  const repeatable = method === "GET" || headers.has("Idempotency-Key");
  const deadline = Date.now() + timeout;
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeout)]);
  for (let attempt = 1; ; attempt++) {
    let pause = 500 * 2 ** (attempt - 1) * (1 - Math.random() / 2);
    const sent = await send(request, signal).catch((error: Error) => error);
    if (sent instanceof Error) {
      // The request may have been processed. A SyntaxError is a success whose body is not JSON.
      if (
        !repeatable ||
        sent instanceof SyntaxError ||
        signal.aborted ||
        attempt === attempts ||
        Date.now() + pause > deadline
      )
        throw sent;
    } else {
      const { response, text } = sent;
      if (response.status === 429 && text.includes('"rate_limited"')) pause += retryAfter(response.headers);
      else if (![500, 502, 503].includes(response.status) || !repeatable) return response;
      if (attempt === attempts || Date.now() + pause > deadline) return response;
    }
    await setTimeout(pause, undefined, { signal });
  }
}

/** A client whose calls end after the timeout in milliseconds, with all attempts and pauses. */
export const createReliableClient = (baseUrl: string, key: string, timeout = 120_000): Client =>
  createClient(
    createConfig({
      baseUrl,
      auth: () => key,
      fetch: (input, init) => reliableFetch(new Request(input, init), timeout),
    }),
  );
