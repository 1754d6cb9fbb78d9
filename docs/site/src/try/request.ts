import type { HttpResponse } from "../../../../sandbox/http/handler.ts";
import type { Sending, TryData, TryOperation, TryResponse } from "./types.ts";

/** A request to any server. */
export interface TryRequest {
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
      ...(sending.idempotencyKey !== "" && { "idempotency-key": sending.idempotencyKey }),
      ...(sending.body !== null && { "content-type": "application/json" }),
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
