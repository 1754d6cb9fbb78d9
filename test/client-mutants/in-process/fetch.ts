import type { ClientContext, Difference, ReceivedResponse, Send } from "../difference.ts";

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A `fetch` with a difference between the client and the network. */
export const fetchWith =
  ({ send }: Difference, { signal: closed }: ClientContext): Fetch =>
  async (url, init) => {
    const { method = "GET", headers, body, signal = closed } = init;
    const both = AbortSignal.any([signal ?? closed, closed]);
    if (send === undefined) return fetch(url, { ...init, signal: both });
    const sent = Object.fromEntries(new Headers(headers));
    const text = typeof body === "string" ? body : undefined;
    return toResponse(await send({ method, url, headers: sent, body: text, signal: both }, sendByFetch));
  };

/** Sends a request with the platform's `fetch`. */
const sendByFetch: Send = async ({ method, url, headers, body, signal }) => {
  const init = { method, headers, signal, redirect: "manual" } as const;
  const response = await fetch(url, body === undefined ? init : { ...init, body: bytesOf(body) });
  return {
    status: response.status,
    headers: response.headers,
    body: Buffer.from(await response.arrayBuffer()),
  };
};

/** A text as bytes: `fetch` would add a media type to a text that has none. */
const bytesOf = (body: string | Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(body));

function toResponse({ status, headers, body }: ReceivedResponse): Response {
  const isBodyless = status === 204 || status === 304 || body.length === 0;
  // The body is already decoded, and its length may have changed.
  const kept = [...headers].filter(([name]) => !/^content-(encoding|length)$/.test(name));
  return new Response(isBodyless ? null : new Uint8Array(body), { status, headers: kept });
}
