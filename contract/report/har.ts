import type { RecordedExchange } from "../engine/outcome.ts";
import { jsonText } from "./json.ts";
import { type ContractResult, exchangesOf } from "./result.ts";

/** Each exchange of the result once, in the order they started in, as an HTTP archive (HAR 1.2). */
export function harReport(result: ContractResult): string {
  // The first comment on an exchange stays.
  const all = exchangesOf(result).map((one) => [JSON.stringify(one.exchange), one] as const);
  return harOf([...new Map(all.toReversed()).values()].toReversed(), result);
}

/** Exchanges with comments in the order they started in, as an HTTP archive. */
export function harOf(
  exchanges: readonly { exchange: RecordedExchange; comment: string }[],
  { baseUrl, tool: { name, version } }: Pick<ContractResult, "baseUrl" | "tool">,
): string {
  const entries = exchanges
    .toSorted((one, other) => one.exchange.startedAt - other.exchange.startedAt)
    .map(({ exchange, comment }) => entry(exchange, baseUrl, comment));
  return jsonText({ log: { version: "1.2", creator: { name, version }, entries } });
}

function entry(exchange: RecordedExchange, baseUrl: string, comment: string): object {
  const { startedAt, milliseconds, method, path, request, response } = exchange;
  const url = baseUrl + path;
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: milliseconds,
    request: {
      method,
      url,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: pairs(Object.entries(request.headers)),
      queryString: pairs(new URLSearchParams(/\?([^#]*)/.exec(url)?.[1])),
      headersSize: -1,
      bodySize: Buffer.byteLength(request.body ?? ""),
      ...(request.body !== null && { postData: { mimeType: typeOf(request.headers), text: request.body } }),
    },
    response: {
      status: response.status,
      statusText: "",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: pairs(Object.entries(response.headers)),
      content: {
        size: Buffer.byteLength(response.body),
        mimeType: typeOf(response.headers),
        text: response.body,
      },
      redirectURL: response.headers.location ?? "",
      headersSize: -1,
      bodySize: Buffer.byteLength(response.body),
    },
    cache: {},
    timings: { send: 0, wait: milliseconds, receive: 0 },
    comment,
  };
}

const pairs = (entries: Iterable<[string, string]>) => [...entries].map(([name, value]) => ({ name, value }));

const typeOf = (headers: Record<string, string>): string =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
