import type { Exchange } from "./exchange.ts";
import type { RecordedExchange } from "./outcome.ts";

/** How much of a body reports keep, in characters. */
const longestBody = 16_384;

/** An exchange for reports: keys struck out while everything is still whole, then long bodies cut. */
export function recorded(exchange: Exchange, strike: (text: string) => string): RecordedExchange {
  const headers = (given: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name, strike(value).slice(0, 2048)]));
  return {
    startedAt: exchange.startedAt,
    milliseconds: Math.round(exchange.milliseconds * 10) / 10,
    method: exchange.call.method,
    path: strike(exchange.call.path),
    sent: {
      headers: headers(exchange.sent.headers),
      body: exchange.sent.text === undefined ? null : cut(strike(exchange.sent.text)),
    },
    received: {
      status: exchange.status,
      headers: headers(exchange.headers),
      body: cut(strike(exchange.text)),
    },
  };
}

const cut = (text: string): string =>
  text.length <= longestBody ? text : `${text.slice(0, longestBody)}... (${text.length} characters in all)`;
