import { shellCurl } from "@scalar/snippetz/plugins/shell/curl";
import type { HttpResponse } from "../../../../sandbox/api/context.ts";
import type { Sending, TryData, TryOperation, TryResponse } from "./types.ts";

/** A request to any server. */
interface TryRequest {
  method: string;
  /** Path and query. */
  target: string;
  headers: Record<string, string>;
  body: string | null;
}

export const operationOf = ({ operations }: TryData, id: string): TryOperation => {
  const found = operations.find((one) => one.id === id) ?? operations[0];
  if (found === undefined) throw new Error("the document has no operation");
  return found;
};

/** The request of a form. @param key the API key itself; empty for none */
export function requestOf(operation: TryOperation, sending: Sending, key: string): TryRequest {
  const { method, path, parameters } = operation;
  const given = (name: string): string => sending.parameters[name] ?? "";
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given(name)));
  const query = parameters.filter((one) => one.in === "query" && given(one.name) !== "");
  const search = new URLSearchParams(query.map(({ name }) => [name, given(name)])).toString();
  return {
    method,
    target: search === "" ? filled : `${filled}?${search}`,
    headers: {
      ...(key !== "" && { authorization: `Bearer ${key}` }),
      accept: "application/json",
      ...(sending.body !== null && { "content-type": "application/json" }),
      ...(sending.idempotencyKey !== "" && { "idempotency-key": sending.idempotencyKey }),
    },
    body: sending.body,
  };
}

/** A response of the sandbox for the panel. @param startedAt by the monotonic clock */
export function responseOf(response: HttpResponse | undefined, startedAt: number): TryResponse {
  const milliseconds = performance.now() - startedAt;
  if (response === undefined || response.cut)
    return {
      ...{ status: 0, headers: [], body: "", milliseconds },
      problem:
        "The connection was closed without a response. The request may have been processed: retry it with the same idempotency key.",
    };
  const { status, headers, body } = response;
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const named = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  return { status, headers: named, body: text, milliseconds };
}

/** A server of the reader, instead of the sandbox. */
export interface OwnServer {
  baseUrl: string;
  key: string;
}

/** The base URL without a slash at its end. @throws Error that says what is wrong with it */
function serverUrl(baseUrl: string, { path }: TryOperation): string {
  if (baseUrl === "") throw new Error("Enter the base URL of your server, or choose the sandbox.");
  const url = URL.parse(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Error(`The base URL must start with https:// or http:// (got ${JSON.stringify(baseUrl)}).`);
  if (url.search !== "" || url.hash !== "")
    throw new Error(`The base URL must have no ? and no # (got ${JSON.stringify(baseUrl)}).`);
  const start = url.pathname.replace(/\/$/, "");
  if (start !== "" && path.startsWith(`${start}/`))
    throw new Error(`The base URL must not end with ${start}: the path of the request begins with it.`);
  return url.href.replace(/\/$/, "");
}

/** The request as a command for a shell. As in the samples, the API key is in the environment. */
export function curlOf(baseUrl: string, operation: TryOperation, sending: Sending, hasKey: boolean): string {
  const { method, target, headers, body } = requestOf(operation, sending, hasKey ? "EMAIL_API_KEY" : "");
  const command = shellCurl.generate({
    ...{ method, url: serverUrl(baseUrl, operation) + target },
    headers: Object.entries(headers).map(([name, value]) => ({ name: capitalized(name), value })),
    // As bytes, the library leaves the body as it is.
    ...(body !== null && { postData: { mimeType: "application/octet-stream", text: body } }),
  });
  // A body that begins with @ would name a file.
  const withBody = command.replace("\n  --data-binary '", "\n  --data-raw '");
  if (!hasKey) return withBody;
  return withBody.replace(/'(Authorization: Bearer )(EMAIL_API_KEY)'/, '"$1$$$2"');
}

/** A header name as documents write it. */
const capitalized = (name: string): string => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());

/** Sends the request of the form to a server of the reader. The browser hides why there is no response. */
export async function sendToOwn(
  { baseUrl, key }: OwnServer,
  operation: TryOperation,
  sending: Sending,
): Promise<TryResponse> {
  const url = serverUrl(baseUrl, operation);
  const { method, target, headers, body } = requestOf(operation, sending, key);
  const startedAt = performance.now();
  try {
    const response = await fetch(url + target, {
      ...{ method, headers, body },
      ...{ credentials: "omit", referrerPolicy: "no-referrer", redirect: "error", cache: "no-store" },
    } as RequestInit);
    const text = await response.text();
    const milliseconds = performance.now() - startedAt;
    return { status: response.status, headers: [...response.headers], body: text, milliseconds };
  } catch {
    const milliseconds = performance.now() - startedAt;
    return { status: 0, headers: [], body: "", milliseconds, problem: corsProblem(new URL(url), method) };
  }
}

const corsProblem = ({ origin }: URL, method: string): string =>
  `The browser received no response that it may show. Either no server responds at ${origin}, or it does not allow requests from this page (CORS). ${corsNeeds(method)}`;

/** What a server must do before a page of another host may read its responses. */
export const corsNeeds = (method: string): string =>
  `To allow them, the server must respond to OPTIONS with Access-Control-Allow-Methods: ${method} and Access-Control-Allow-Headers: authorization, content-type, idempotency-key, and to every request with Access-Control-Allow-Origin: ${location.origin}. Servers that keep their API keys from browsers do not allow them, and the sandbox on your machine does not either: use “Copy as curl”.`;
