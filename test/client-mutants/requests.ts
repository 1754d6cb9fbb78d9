import { violating, withParameter } from "./client-mutant.ts";
import type { SentRequest } from "./difference.ts";
import { sendBySocket } from "./in-process/sockets.ts";

const gen1 = violating("GEN-1");
const auth1 = violating("AUTH-1");
const gen5 = violating("GEN-5");

const withUrl = (change: (url: string) => string) => (request: SentRequest) => ({ url: change(request.url) });

/** The request with other headers; undefined removes one. */
export function withHeaders(request: SentRequest, changes: Record<string, string | undefined>) {
  const merged = Object.entries({ ...request.headers, ...changes });
  const headers = Object.fromEntries(
    merged.filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return { headers };
}

/** Requests with another header Authorization. */
const authorizes = (title: string, value: (key: string) => string | undefined) =>
  auth1.sends(title, (request, { key }) => withHeaders(request, { authorization: value(key) }));

/** Methods, URLs and headers. */
export const requestMutants = [
  gen1.sends("reschedules with PUT", ({ method }) => (method === "PATCH" ? { method: "PUT" } : undefined)),
  gen1.sends("reschedules with POST", ({ method }) => (method === "PATCH" ? { method: "POST" } : undefined)),
  gen1.sends("cancels with POST on a path of its own", ({ method, url }) =>
    method === "DELETE" ? { method: "POST", url: `${url}/cancel` } : undefined,
  ),
  gen1.sends(
    "has a slash at the end of each path",
    withUrl((url) => `${url}/`),
  ),
  gen1.sends(
    "has no version prefix",
    withUrl((url) => url.replace("/api/v1", "")),
  ),
  gen1.sends(
    "sends batches to another version",
    withUrl((url) => url.replace("v1/emails/batch", "v2/emails/batch")),
  ),
  gen1.sends(
    "has two slashes after the base URL",
    withUrl((url) => url.replace("/api/", "//api/")),
  ),
  gen1.sends("looks contacts up with a query parameter", (_, context) =>
    context.call().operation === "getContact"
      ? withParameter(context, (email) => `?email=${encodeURIComponent(email)}`)
      : undefined,
  ),
  gen1.sends("adds the time as a query parameter, so that nothing is cached", ({ method, url }) =>
    method === "GET" ? { url: `${url}?_=${Date.now()}` } : undefined,
  ),
  gen1.sends("unsubscribes with DELETE", ({ url }) =>
    url.endsWith("/unsubscribe") ? { method: "DELETE", url: url.replace(/\/unsubscribe$/, "") } : undefined,
  ),
  gen1.sends(
    "looks the API key up at /account",
    withUrl((url) => url.replace(/\/me$/, "/account")),
  ),

  authorizes("sends the API key without a scheme", (key) => key),
  authorizes("sends the API key with the scheme Basic", (key) => `Basic ${btoa(`${key}:`)}`),
  authorizes("sends the API key with the scheme Token", (key) => `Token ${key}`),
  authorizes("sends the API key in quotes", (key) => `Bearer "${key}"`),
  auth1.sends("sends the API key in X-API-Key only", (request, { key }) =>
    withHeaders(request, { authorization: undefined, "x-api-key": key }),
  ),
  auth1.sends("reads without an API key", (request) =>
    request.method === "GET" ? withHeaders(request, { authorization: undefined }) : undefined,
  ),
  auth1.sends(
    "sends the API key with the first request only",
    (() => {
      const seen = new WeakSet<object>();
      return (request, context) => {
        if (!seen.has(context)) return void seen.add(context);
        return withHeaders(request, { authorization: undefined });
      };
    })(),
  ),

  gen5.sends("accepts any media type", (request) => withHeaders(request, { accept: "*/*" })),
  gen5.sends("accepts HTML", (request) => withHeaders(request, { accept: "text/html" })),
  gen5.sends("accepts XML", (request) => withHeaders(request, { accept: "application/xml" })),
  gen5.sends("accepts JSON for reads only", (request) =>
    request.method === "GET" ? undefined : withHeaders(request, { accept: "*/*" }),
  ),
  gen5.transmits("sends no header Accept", (request) => {
    const { accept: _, ...headers } = request.headers;
    return sendBySocket({ ...request, headers });
  }),
];
