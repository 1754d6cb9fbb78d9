import type { Exchange } from "../exchange.ts";
import { operationAt } from "../operation-at.ts";

/** A request and its response in recorded traffic. */
export interface ObservedExchange {
  /** Milliseconds since 1970; undefined if it is not recorded. */
  startedAt: number | undefined;
  /** Until the response was complete. */
  milliseconds: number | undefined;
  method: string;
  /** Below the base URL, encoded, with the query. */
  path: string;
  /** By lower-case name. */
  requestHeaders: Record<string, string>;
  /** Undefined if there is none. */
  requestBody: string | undefined;
  /** 0 if there was no response of the server. */
  status: number;
  responseHeaders: Record<string, string>;
  responseBody: string;
  /** Whether the record has only a part of a body. */
  isCut?: boolean;
}

/** The operation of an observed request; undefined if there is none. */
export function operationOf({ method, path }: Pick<ObservedExchange, "method" | "path">) {
  const plain = path.replace(/[?#].*$/, "");
  // Methods but POST on it are unspecified.
  const isBatch = plain.endsWith("/emails/batch") && method !== "POST";
  return isBatch ? undefined : operationAt(method, plain);
}

/** An observed exchange as the checks of the suite need it, without a key. */
export function exchangeOf(observed: ObservedExchange): Exchange {
  const { method, path, requestHeaders, requestBody, status, responseHeaders, responseBody } = observed;
  const operation = operationOf(observed);
  const body = requestBody === undefined || !isJson(requestHeaders) ? undefined : jsonOf(requestBody);
  const isReadable = requestBody === undefined || body !== undefined;
  return {
    request: {
      ...(operation && { operation }),
      method,
      path,
      key: null,
      ...(isReadable ? { body } : { rawBody: requestBody }),
    },
    sent: { headers: requestHeaders, text: requestBody },
    status,
    headers: responseHeaders,
    text: responseBody,
    json: jsonOf(responseBody),
    startedAt: observed.startedAt ?? 0,
    milliseconds: observed.milliseconds ?? 0,
  };
}

/** Whether a body is JSON by its type. Without one, servers take it for JSON; how they take any other one is unspecified. */
export const isJson = ({ "content-type": type = "application/json" }: Record<string, string>): boolean =>
  /^application\/json\s*(;|$)/i.test(type.trim());

function jsonOf(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
