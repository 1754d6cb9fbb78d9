import { METHODS } from "node:http";
import { errors } from "../../generated/errors.ts";
import { type OperationId, operations } from "../../generated/operations.ts";
import { isObject } from "../../lib/objects.ts";
import driverProtocol from "../client-suite/driver/driver-protocol.schema.json" with { type: "json" };
import { document } from "../document.ts";
import { lengthOf, type RecordedExchange } from "../engine/outcome.ts";
import { redacted } from "../engine/secrets.ts";
import { type RawRequest, requestName } from "../exchange.ts";
import words from "./message-words.json" with { type: "json" };

/** The names and values of the document and the driver protocol, but its examples: properties, enums, patterns, limits, headers, error types. */
const documentWords = new Set<string>(Object.values(errors).flatMap(({ type }) => type ?? []));
for (const { method } of Object.values(operations)) documentWords.add(method);
for (const source of [document, driverProtocol])
  JSON.stringify(source, (name, value: unknown) => {
    if (name === "example" || name === "examples") return undefined;
    if (typeof value !== "object") documentWords.add(String(value));
    if ((name === "properties" || name === "headers") && isObject(value))
      for (const own of Object.keys(value)) documentWords.add(own.toLowerCase());
    return value;
  });

/** A time, or two of them. */
const time = /^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:?\d\d)?( to (?=\d)|$)){1,2}$/;

/**
 * Messages without anything that comes from a request or response, except the names and values of the document. Different
 * values have masks with different numbers, so that what differs can be seen.
 */
export function maskedTexts(texts: readonly string[]): string[] {
  const numbers = new Map<string, number>();
  const mask = (value: string): string => {
    const number = numbers.get(value) ?? numbers.size + 1;
    numbers.set(value, number);
    return `${redacted}${number}`;
  };
  const found = texts.map((text) => masked(text, mask));
  return numbers.size > 1 ? found : texts.map((text) => masked(text, () => redacted));
}

/** The words of the messages of checks: all that a masked message shows besides the names and values of the document. */
const messageWords: ReadonlySet<string> = new Set(Object.values(words).flatMap((line) => line.split(" ")));

/** A quoted value, which a text that was cut may not close, or a word. */
const parts = /"((?:[^"\\]|\\.)*)("?)|[\p{L}\p{N}_@%+~-]+/gu;

const masked = (text: string, mask: (value: string) => string): string =>
  text.replaceAll(parts, (found, value?: string, end?: string) => {
    if (value === undefined) return isShownWord(found, text) ? found : mask(found);
    if (end === "") return redacted;
    return documentWords.has(value) || time.test(value) ? found : `"${mask(value)}"`;
  });

/** Longer numbers may be codes that only one person should see, but not those of the headers with a limit. */
const isShownWord = (word: string, text: string): boolean =>
  messageWords.has(word.toLowerCase()) ||
  [word, word.toLowerCase()].some((one) => documentWords.has(one)) ||
  (/^x-(ratelimit|service-monthly)-/i.test(text) ? /^\d+$/ : /^\d{1,5}$/).test(word) ||
  // The end of a time.
  /^\d{1,9}Z$/.test(word) ||
  /^\d{4}-\d\d-\d\dT?(\d\d)?$/.test(word);

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

/**
 * An exchange of a report without bodies, email addresses and ids.
 * @param hint how to see bodies
 */
export function maskedExchange(
  recorded: RecordedExchange,
  { operation }: Pick<RawRequest, "operation"> = {},
  hint = "",
): RecordedExchange {
  const { hooks: _, call: __, method, path, request, response, ...rest } = recorded;
  const sizeText = (text: string) => text && `${redacted} (${lengthOf(text)} characters${hint})`;
  return {
    ...rest,
    method: METHODS.includes(method) ? method : redacted,
    path: maskedPath(path, operation ?? requestName(recorded).operation),
    request: { headers: maskedHeaders(request.headers), body: request.body && sizeText(request.body) },
    response: {
      ...response,
      headers: maskedHeaders(response.headers),
      body: sizeText(response.body),
    },
  };
}

/** A path with `***` in place of ids and email addresses. */
function maskedPath(path: string, operation: OperationId | undefined): string {
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
