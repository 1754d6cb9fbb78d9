import type { Disturbance, WireResponse } from "./wire.ts";

const json = { "content-type": "application/json" };

interface Given {
  headers?: Record<string, string>;
  /** A text, or a value that becomes JSON; default: no body. */
  body?: unknown;
}

/** A response that the test case makes up. */
export function response(status: number, { headers = {}, body }: Given = {}): WireResponse {
  if (body === undefined) return { status, headers, body: Buffer.alloc(0) };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return {
    status,
    headers: { ...(typeof body === "string" ? {} : json), ...headers },
    body: Buffer.from(text),
  };
}

/** Responds in place of the service, which does not process the request. */
export const respondsWith = (made: WireResponse, title = `responds with ${made.status}`): Disturbance => ({
  title,
  handle: async () => made,
});
