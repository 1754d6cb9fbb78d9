import { METHODS } from "node:http";
import { errors } from "../../generated/errors.ts";
import { type OperationId, operations } from "../../generated/operations.ts";
import { isObject } from "../../lib/objects.ts";
import { document } from "../document.ts";
import { lengthOf, type RecordedExchange } from "../engine/outcome.ts";
import { redacted } from "../engine/secrets.ts";
import { type RawRequest, requestName } from "../exchange.ts";

/** The names and values of the document: properties, enums, headers, error types. */
const documentWords = new Set<string>(Object.values(errors).flatMap(({ type }) => type ?? []));
collect(document, documentWords);
for (const { method } of Object.values(operations)) documentWords.add(method);

function collect(value: unknown, words: Set<string>): void {
  if (Array.isArray(value)) for (const entry of value) collect(entry, words);
  if (!isObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === "example" || name === "examples") continue;
    if ((name === "properties" || name === "headers") && isObject(inner))
      for (const own of Object.keys(inner)) words.add(own.toLowerCase());
    if (name === "enum" || name === "const") for (const one of [inner].flat()) words.add(String(one));
    collect(inner, words);
  }
}

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

/** A quoted value, which a text that was cut may not close, or a word. */
const parts = /"((?:[^"\\]|\\.)*)("?)|[\p{L}\p{N}_@%+~-]+/gu;

const masked = (text: string, mask: (value: string) => string): string =>
  text.replaceAll(parts, (found, value?: string, end?: string) => {
    if (value === undefined) return isShownWord(found) ? found : mask(found);
    if (end === "") return redacted;
    return documentWords.has(value) || time.test(value) ? found : `"${mask(value)}"`;
  });

/** Longer numbers may be codes that only one person should see. */
const isShownWord = (word: string): boolean =>
  messageWords.has(word.toLowerCase()) ||
  documentWords.has(word) ||
  documentWords.has(word.toLowerCase()) ||
  /^\d{1,5}$/.test(word) ||
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

/** The words of the messages of checks, those of servers first: all that a masked message shows besides the names and values of the document. */
const messageWords = new Set(
  `2xx 4xx 5xx a accept accepted account added addition additional after again all allow allowance allowances allowed alone an and another
  any api application are array as at base batch batches be bearer before below between block bodies body boolean bounce bounces bytes
  calls camelcase cancel canceled change changes characters charset checks client clients conflict consent contact contacts content
  content-type count counted counts date deadlines decrease delivered delivery detail diagnostic did describes dispatch do document documented does domain due each
  earlier email emails empty end entries entry end ends enum equal equals error errors event events every exchange exists expected failed failure
  false fault fewer field fields final first for form format found from full gateway get gmt greater has have header headers
  history http https id ids if in infinity inside instead integer invalid is it items its json just key keyed keys known lack last later
  least left length less limit list listed listing lists longer lost many match may media message messages method methods minute
  missing month monthly more most must name named names new newsletter no none not nothing null number object of offset on once
  one only operation operations or other others out own pair paths pattern per permanent plan present products properties property quota
  rate reached read record redirect rejected remaining remains replay replayed request requests required response responses retry return right s
  same schema second seconds see send sends sent sequence server set shape share shorter should show shows simulated since snake_case some stated
  states status stays steps string subject success such suite supported suppressed tag tags template text texts than that the their
  them then there these this time times to too traffic true type types under unexpected unique unknown unless unsubscribe unsupported
  up url utc valid value values variable wait was were what when which while whole with within without write written xx z
  although because begin call complete connection connections contain creates declares decoded difference driver early ended handshake html
  idempotency kind knows line long ms original output pauses replied reply responds result retries run service start tls together unchanged
  undefined wrote
  address ahead apart attempts authorization can clock configuration handled idempotency-key input iso ones percent-encoded place reads
  recipients responded returned right v1`.split(/\s+/),
);
