import type { Exchange } from "./call.ts";
import { valueWithoutKey, withoutKey } from "./secret.ts";
import { settings } from "./settings.ts";
import { shortened } from "./shortened.ts";

/** The server broke a promise. The message tells what was expected, what was found, what was sent and what came back. */
export class BrokenPromise extends Error {
  override readonly name = "BrokenPromise";

  constructor(exchange: Exchange, { expected, found }: { expected: string; found: string }) {
    super(`expected: ${safe(expected)}\nfound:    ${clipped(safe(found))}\n\n${transcript(exchange)}`);
  }
}

/** @throws BrokenPromise unless it holds */
export function must(
  holds: boolean,
  exchange: Exchange,
  words: { expected: string; found: string },
): asserts holds {
  if (!holds) throw new BrokenPromise(exchange, words);
}

function transcript({ method, path, sent, status, headers, text, json }: Exchange): string {
  const answer = json === undefined ? safe(text).slice(0, 600) : shortened(safeValue(json));
  return [
    `sent: ${method} ${path}`,
    ...lines(sent.headers),
    ...(sent.body === undefined ? [] : [indented(shortened(safeValue(sent.body)))]),
    `answered: ${status}`,
    ...lines(headers),
    indented(answer === "" ? "(no body)" : answer),
  ].join("\n");
}

// The key is struck out of what is still whole: once cut, a part of it could no longer be told from other text.
const safe = (text: string): string => withoutKey(text, settings.key);
const safeValue = (value: unknown): unknown => valueWithoutKey(value, settings.key);

/** What is long loses its middle: the beginning says what it is, the end where it stood. */
const clipped = (text: string): string =>
  text.length <= 400 ? text : `${text.slice(0, 250)} ... ${text.slice(-140)}`;

/** Headers of the connection, which say nothing about the service. */
const ofConnection = ["connection", "keep-alive", "transfer-encoding", "content-length", "date"];

const lines = (headers: Record<string, string>): string[] =>
  Object.entries(headers)
    .filter(([name]) => !ofConnection.includes(name))
    .map(([name, value]) => `  ${safe(name)}: ${safe(value).slice(0, 200)}`);

const indented = (text: string): string => text.replaceAll(/^/gm, "  ");
