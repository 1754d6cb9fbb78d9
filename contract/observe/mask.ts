import { METHODS } from "node:http";
import { errors } from "../../generated/errors.ts";
import { operations } from "../../generated/operations.ts";
import { count } from "../../lib/count.ts";
import { isObject } from "../../lib/is-object.ts";
import { document } from "../document.ts";
import type { RecordedExchange } from "../engine/outcome.ts";
import { recordExchange } from "../engine/record.ts";
import { redacted } from "../engine/secrets.ts";
import type { Exchange } from "../exchange.ts";
import { messageWords } from "./mask-words.ts";
import { isSecretHeader, redactorFor } from "./secrets-in.ts";

/** The names and values of the document: properties, enums, headers, error types. */
const documentWords = new Set<string>(Object.values(errors).flatMap(({ type }) => type ?? []));
collect(document, documentWords);
for (const { method } of Object.values(operations)) documentWords.add(method);

function collect(value: unknown, words: Set<string>): void {
  if (Array.isArray(value)) for (const entry of value) collect(entry, words);
  if (!isObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === "example" || name === "examples") continue;
    if (name === "properties" && isObject(inner))
      for (const property of Object.keys(inner)) words.add(property);
    if (name === "headers" && isObject(inner))
      for (const header of Object.keys(inner)) words.add(header.toLowerCase());
    if (name === "enum" && Array.isArray(inner)) for (const one of inner) words.add(String(one));
    if (name === "const") words.add(String(inner));
    collect(inner, words);
  }
}

const time = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:?\d\d)?$/;

/** Replaces a value by a mask. */
type Mask = (value: string) => string;

/**
 * Messages without anything that comes from a request or response, except the names and values of the document. Different
 * values have masks with different numbers, so that what differs can be seen.
 */
export function maskedTexts(texts: readonly string[]): string[] {
  const numbers = new Map<string, number>();
  const mask: Mask = (value) => {
    const number = numbers.get(value) ?? numbers.size + 1;
    numbers.set(value, number);
    return `${redacted}${number}`;
  };
  const found = texts.map((text) => masked(text, mask));
  return numbers.size > 1 ? found : texts.map((text) => masked(text, () => redacted));
}

function masked(text: string, mask: Mask): string {
  const quoted = /"((?:[^"\\]|\\.)*)"/g;
  // The end of a text that was cut may be in the middle of a value.
  const closed = text.replace(quoted, "");
  const whole = closed.includes('"') ? text.slice(0, lastOpenQuote(text)) : text;
  let result = "";
  let from = 0;
  for (const found of whole.matchAll(quoted)) {
    result += maskedWords(whole.slice(from, found.index), mask);
    const value = found[1] ?? "";
    result += documentWords.has(value) || time.test(value) ? found[0] : `"${mask(value)}"`;
    from = found.index + found[0].length;
  }
  return result + maskedWords(whole.slice(from), mask) + (whole === text ? "" : redacted);
}

/** Where the quote begins that is not closed. */
function lastOpenQuote(text: string): number {
  let isOpen = false;
  let last = text.length;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') {
      isOpen = !isOpen;
      if (isOpen) last = at;
    }
  }
  return last;
}

const maskedWords = (text: string, mask: Mask): string =>
  text.replaceAll(/[\p{L}\p{N}_@%+~-]+/gu, (word) => {
    const isKnown =
      messageWords.has(word.toLowerCase()) ||
      documentWords.has(word) ||
      documentWords.has(word.toLowerCase());
    return isKnown || /^\d{1,6}$/.test(word) || /^\d{4}-\d\d-\d\dT?(\d\d)?$/.test(word) ? word : mask(word);
  });

/** Headers that say nothing of the content, and what their values look like. */
const shownHeaders: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [/^(content-type|accept)$/, /^[a-z]+\/[a-z.+*-]+( *; *charset=[\w-]+)?$/i],
  [/^(content-length|retry-after|x-ratelimit-\w+|x-service-monthly-\w+)$/, /^\d+$/],
  [/^date$/, /^\w{3}, [\w :]+$/],
  [/^allow$/, /^[A-Z, ]+$/],
  [/^idempotent-replayed$/, /^(true|false)$/],
  // By which the service finds the request in its own log.
  [/^x-service-request-id$/, /^[\w-]{1,80}$/],
];

/** An exchange for reports. Without `redact`, it has no bodies, email addresses and ids. */
export function recordedExchange(
  exchange: Exchange,
  redact: ((text: string) => string) | undefined,
): RecordedExchange {
  if (redact !== undefined) return recordExchange(exchange, redact);
  const { request, sent, headers, status, text, startedAt, milliseconds } = exchange;
  return {
    startedAt: Math.round(startedAt),
    milliseconds: Math.round(milliseconds * 10) / 10,
    method: METHODS.includes(request.method) ? request.method : redacted,
    path: maskedPath(exchange),
    request: {
      headers: maskedHeaders(sent.headers),
      body: sent.text === undefined ? null : sizeText(sent.text),
    },
    response: { status, headers: maskedHeaders(headers), body: text === "" ? "" : sizeText(text) },
  };
}

const sizeText = (text: string): string =>
  `${redacted} (${text.length} characters; --show-bodies shows them)`;

/** A path with `***` in place of ids and email addresses. */
function maskedPath({ request: { operation, path } }: Exchange): string {
  if (operation !== undefined) return operations[operation].path.replaceAll(/\{\w+\}/g, redacted);
  return path.startsWith("/api/v1/") ? `/api/v1/${redacted}` : redacted;
}

function maskedHeaders(headers: Record<string, string>): Record<string, string> {
  const shown = Object.entries(headers).filter(([name, value]) =>
    shownHeaders.some(([own, form]) => own.test(name) && form.test(value)),
  );
  const authorization = "authorization" in headers ? { authorization: `Bearer ${redacted}` } : {};
  return { ...authorization, ...Object.fromEntries(shown) };
}

/** An exchange without its key and other secrets, wherever they stand. */
export function redactedExchange(exchange: Exchange): Exchange {
  const { sent, headers, request } = exchange;
  const clean = redactorFor({ url: request.path, requestHeaders: sent.headers, responseHeaders: headers });
  const cleanHeaders = (given: Record<string, string>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, isSecretHeader(name) ? redacted : clean(value)]),
    );
  return {
    ...exchange,
    request: { ...request, path: clean(request.path) },
    sent: {
      headers: cleanHeaders(sent.headers),
      text: sent.text === undefined ? undefined : clean(sent.text),
    },
    headers: cleanHeaders(headers),
    text: clean(exchange.text),
  };
}

/** What responses have in addition to the document, counted: the names come from responses. */
export function countedAdditions(additions: ReadonlySet<string>): string[] {
  const kinds = ["field", "header", "error type"].map((kind) => ({
    kind,
    times: [...additions].filter((text) => text.startsWith(`${kind} `)).length,
  }));
  return kinds.flatMap(({ kind, times }) =>
    times === 0 ? [] : [`${count(times, kind)} of responses (--show-bodies names them)`],
  );
}
