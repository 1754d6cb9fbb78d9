import type { Interceptor, MutantRequest, MutantResponse } from "./mutant.ts";

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A `fetch` with a mutant between the caller and the server. */
export function intercepted(fetch: Fetch, intercept: Interceptor): Fetch {
  const next = async (request: MutantRequest): Promise<MutantResponse> => {
    const { method, path, headers, body, text: raw } = request;
    const sent = body === undefined ? raw : JSON.stringify(body);
    const response = await fetch(path, {
      method,
      headers,
      ...(sent === undefined ? {} : { body: sent }),
    });
    const text = await response.text();
    const json = parsed(text);
    const shared = { status: response.status, headers: Object.fromEntries(response.headers) };
    return json === undefined && text !== ""
      ? { ...shared, body: undefined, text }
      : { ...shared, body: json };
  };
  return async (url, init) => {
    const { pathname, search } = new URL(url, "http://sandbox");
    const text = typeof init.body === "string" ? init.body : undefined;
    const body = text === undefined ? undefined : parsed(text);
    const response = await intercept(
      {
        method: init.method ?? "GET",
        path: pathname + search,
        headers: Object.fromEntries(new Headers(init.headers)),
        body,
        ...(text === undefined || body !== undefined ? {} : { text }),
      },
      next,
    );
    const { "content-length": _, ...headers } = response.headers;
    const told = response.text ?? (response.body === undefined ? null : JSON.stringify(response.body));
    return new Response([204, 304].includes(response.status) ? null : told, {
      status: response.status,
      headers,
    });
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
