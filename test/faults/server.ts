import type { Between, FaultAnswer, FaultRequest } from "./fault.ts";

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A `fetch` that puts a fault between its caller and a server. */
export function faulty(fetch: Fetch, between: Between): Fetch {
  const next = async (request: FaultRequest): Promise<FaultAnswer> => {
    const { method, path, headers, body, text: raw } = request;
    const sent = body === undefined ? raw : JSON.stringify(body);
    const answer = await fetch(path, {
      method,
      headers,
      ...(sent === undefined ? {} : { body: sent }),
    });
    const text = await answer.text();
    const json = parsed(text);
    const shared = { status: answer.status, headers: Object.fromEntries(answer.headers) };
    return json === undefined && text !== ""
      ? { ...shared, body: undefined, text }
      : { ...shared, body: json };
  };
  return async (url, init) => {
    const { pathname, search } = new URL(url, "http://sandbox");
    const text = typeof init.body === "string" ? init.body : undefined;
    const body = text === undefined ? undefined : parsed(text);
    const answer = await between(
      {
        method: init.method ?? "GET",
        path: pathname + search,
        headers: Object.fromEntries(new Headers(init.headers)),
        body,
        ...(text === undefined || body !== undefined ? {} : { text }),
      },
      next,
    );
    const { "content-length": _, ...headers } = answer.headers;
    const told = answer.text ?? (answer.body === undefined ? null : JSON.stringify(answer.body));
    return new Response([204, 304].includes(answer.status) ? null : told, { status: answer.status, headers });
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
