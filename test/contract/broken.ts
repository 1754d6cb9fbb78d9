import type { Exchange } from "./call.ts";
import { settings } from "./settings.ts";
import { shortened } from "./shortened.ts";

/** The server broke a promise. The message tells what was expected, what was found, what was sent and what came back. */
export class BrokenPromise extends Error {
  override readonly name = "BrokenPromise";

  constructor(exchange: Exchange, { expected, found }: { expected: string; found: string }) {
    super(withoutKey(`expected: ${expected}\nfound:    ${found}\n\n${transcript(exchange)}`));
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
  const answer = json === undefined ? text.slice(0, 600) : shortened(json);
  return [
    `sent: ${method} ${path}`,
    ...lines(sent.headers),
    ...(sent.body === undefined ? [] : [indented(shortened(sent.body))]),
    `answered: ${status}`,
    ...lines(headers),
    indented(answer === "" ? "(no body)" : answer),
  ].join("\n");
}

/** Headers of the connection, which say nothing about the service. */
const ofConnection = ["connection", "keep-alive", "transfer-encoding", "content-length", "date"];

const lines = (headers: Record<string, string>): string[] =>
  Object.entries(headers)
    .filter(([name]) => !ofConnection.includes(name))
    .map(([name, value]) => `  ${name}: ${value.slice(0, 200)}`);

const indented = (text: string): string => text.replaceAll(/^/gm, "  ");

/** A key of a few letters could be part of any word; only real ones are struck out wherever they appear. */
function withoutKey(message: string): string {
  const { key } = settings;
  const bearer = message.replaceAll(`Bearer ${key}`, "Bearer ***");
  return key.length < 8 ? bearer : bearer.replaceAll(key, "***");
}
