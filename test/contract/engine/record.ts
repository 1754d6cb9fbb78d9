import type { Exchange } from "../exchange.ts";
import type { RecordedExchange } from "./outcome.ts";

/** How much of a body reports keep, in characters. */
const longestBody = 16_384;
const longestHeader = 2048;
/** Keys are looked for this much further than is kept, so that none is cut where the text is. */
const beyond = 8192;

/** An exchange for reports: long texts are cut, and keys struck out. */
export function recordExchange(exchange: Exchange, strike: (text: string) => string): RecordedExchange {
  const struck = (text: string, longest: number): string =>
    strike(text.slice(0, longest + beyond)).slice(0, longest);
  const headers = (given: Record<string, string>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => [strike(name), struck(value, longestHeader)]),
    );
  const body = (text: string): string =>
    text.length <= longestBody
      ? strike(text)
      : `${struck(text, longestBody)}... (${text.length} characters in all)`;
  const { key = "full" } = exchange.request;
  return {
    startedAt: exchange.startedAt,
    milliseconds: Math.round(exchange.milliseconds * 10) / 10,
    method: exchange.request.method,
    path: strike(exchange.request.path),
    ...(typeof key === "string" ? { key } : {}),
    request: {
      headers: headers(exchange.sent.headers),
      body: exchange.sent.text === undefined ? null : body(exchange.sent.text),
    },
    response: { status: exchange.status, headers: headers(exchange.headers), body: body(exchange.text) },
  };
}
