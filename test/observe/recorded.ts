import type { Fetch } from "../../contract/engine/http.ts";
import type { ObservedExchange } from "../../contract/observe/subjects.ts";

export interface RecorderOptions {
  /** The time of the record, in milliseconds since 1970; it may stand still. */
  now(): number;
  /** The server's time. */
  serverNow(): number;
  onExchange(exchange: ObservedExchange): void;
}

/** In milliseconds, between two moments while the time stands still. */
const tick = 0.001;

/** A `fetch` that records requests to the API and their responses, as a proxy would. Links in mail are outside the API. */
export function recorded(fetch: Fetch, { now, serverNow, onExchange }: RecorderOptions): Fetch {
  let ticks = 0;
  const time = (): number => {
    ticks += 1;
    return now() + ticks * tick;
  };
  return async (url, init) => {
    const { pathname, search } = new URL(url, "http://sandbox");
    if (!pathname.startsWith("/api/")) return fetch(url, init);
    const startedAt = time();
    const response = await fetch(url, init);
    const responseBody = await response.clone().text();
    onExchange({
      startedAt,
      milliseconds: time() - startedAt,
      method: init.method ?? "GET",
      path: pathname + search,
      requestHeaders: Object.fromEntries(new Headers(init.headers)),
      requestBody: typeof init.body === "string" ? init.body : undefined,
      status: response.status,
      responseHeaders: { date: new Date(serverNow()).toUTCString(), ...Object.fromEntries(response.headers) },
      responseBody,
    });
    return response;
  };
}
