import { isObject } from "../../lib/objects.ts";
import { UserError } from "../../lib/user-error.ts";
import { mustBeReadable, type TrafficExchange } from "./traffic.ts";

type Json = Record<string, unknown>;

/**
 * The exchanges of an HTTP archive (HAR 1.2), such as those of browsers and of `redocly proxy`.
 * @throws UserError with exit code 2 if it is not one, or not all of one
 */
export async function* readHar(chunks: AsyncIterable<string>, name: string): AsyncGenerator<TrafficExchange> {
  let number = 0;
  for await (const text of entriesIn(chunks, name)) {
    number += 1;
    const { request, response, _fromCache, ...times } = parsed(text);
    if (!isObject(request) || !isObject(response))
      throw new UserError(`entry ${number} of ${name} has no request or no response`, {
        hint: "Record the traffic again, or remove the entry.",
        exitCode: 2,
      });
    // Otherwise a browser did not send it.
    if (_fromCache === undefined) yield exchangeOf(request, response, times);
  }
}

/** An entry; an empty object if it is no JSON. */
function parsed(text: string): Json {
  try {
    const entry: unknown = JSON.parse(text);
    return isObject(entry) ? entry : {};
  } catch {
    return {};
  }
}

function exchangeOf(request: Json, response: Json, { startedDateTime, time }: Json): TrafficExchange {
  const sent = sentBody(request);
  const received = receivedBody(response);
  const startedAt = Date.parse(String(startedDateTime));
  return {
    startedAt: Number.isNaN(startedAt) ? undefined : startedAt,
    milliseconds: typeof time === "number" && time >= 0 ? time : undefined,
    method: String(request.method),
    // Browsers keep the fragment, which they do not send.
    url: String(request.url).replace(/#.*/, ""),
    requestHeaders: headersOf(request),
    requestBody: sent.text,
    status: typeof response.status === "number" ? response.status : 0,
    responseHeaders: headersOf(response),
    responseBody: received.text ?? "",
    ...((sent.isCut || received.isCut) && { isCut: true }),
  };
}

/** By lower-case name, without the pseudo-headers of HTTP/2. */
function headersOf({ headers }: Json): Record<string, string> {
  const all = Array.isArray(headers) ? headers.filter(isObject) : [];
  const found: Record<string, string> = {};
  for (const { name, value } of all) {
    const lower = String(name).toLowerCase();
    if (lower.startsWith(":")) continue;
    const text = String(value);
    found[lower] = Object.hasOwn(found, lower) ? `${found[lower]}, ${text}` : text;
  }
  return found;
}

interface Body {
  text: string | undefined;
  isCut: boolean;
}

function sentBody({ postData, bodySize }: Json): Body {
  if (!isObject(postData)) return { text: undefined, isCut: isPositive(bodySize) };
  const { text, encoding } = postData;
  if (typeof text !== "string") return { text: undefined, isCut: true };
  return { text: decoded(text, encoding ?? postData._encoding), isCut: false };
}

function receivedBody({ content, bodySize }: Json): Body {
  if (!isObject(content)) return { text: undefined, isCut: isPositive(bodySize) };
  const { text, encoding, size } = content;
  if (typeof text !== "string") return { text: undefined, isCut: isPositive(size) };
  const own = decoded(text, encoding);
  // Some tools keep the start of a body only.
  const isCut = typeof size === "number" && size > Buffer.byteLength(own) && encoding === undefined;
  return { text: own, isCut };
}

const isPositive = (value: unknown): boolean => typeof value === "number" && value > 0;

const decoded = (text: string, encoding: unknown): string =>
  encoding === "base64" ? Buffer.from(text, "base64").toString() : text;

/**
 * The objects of the array `entries` of `log`, one by one as text, so that a large HTTP archive is never in memory as a whole.
 * @throws UserError with exit code 2 if there is no such array, or if the text ends before the archive does
 */
async function* entriesIn(chunks: AsyncIterable<string>, file: string): AsyncGenerator<string> {
  const scanner = new Scanner(file);
  for await (const chunk of chunks) yield* scanner.scan(chunk);
  const fail = (message: string, hint: string): UserError => new UserError(message, { hint, exitCode: 2 });
  if (!scanner.hasEntries)
    throw fail(
      `${file} is not an HTTP archive: it has no log.entries`,
      "Give a file in the format HAR 1.2, in UTF-8; --ndjson reads one JSON object per line.",
    );
  if (scanner.isOpen)
    throw fail(`${file} ends within the archive`, "Write it again: its program may have been interrupted.");
}

const code = (character: string): number => character.charCodeAt(0);
const [quote, backslash, open, close, openList, closeList, colon] = [...'"\\{}[]:'].map(code) as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];

/** Follows the nesting of JSON without parsing it. */
class Scanner {
  #depth = 0;
  #inText = false;
  #isEscaped = false;
  /** The last text outside the entries: the name of what comes next. */
  #name = "";
  #isName = false;
  #entriesAt = -1;
  #entry: string[] | undefined;
  #size = 0;
  readonly #file: string;
  hasEntries = false;

  constructor(file: string) {
    this.#file = file;
  }

  /** Whether something has begun that has not ended. */
  get isOpen(): boolean {
    return this.#depth !== 0 || this.#inText;
  }

  *scan(chunk: string): Generator<string> {
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const found = chunk.charCodeAt(at);
      if (this.#inText) {
        this.#inside(found);
        continue;
      }
      if (found === quote) this.#begin();
      else if (found === open || found === openList) {
        if (found === openList && this.#depth === 2 && this.#name === "entries") {
          this.#entriesAt = 3;
          this.hasEntries = true;
        }
        this.#depth += 1;
        if (found === open && this.#depth === this.#entriesAt + 1 && this.#entriesAt === 3) {
          this.#entry = [];
          this.#size = 0;
          from = at;
        }
      } else if (found === close || found === closeList) {
        this.#depth -= 1;
        if (this.#depth < this.#entriesAt) this.#entriesAt = -1;
        if (this.#entry !== undefined && this.#depth === this.#entriesAt) {
          const text = this.#entry.join("") + chunk.slice(from, at + 1);
          this.#entry = undefined;
          yield text;
        }
      } else if (found === colon) this.#isName = false;
    }
    this.#keep(chunk.slice(from));
  }

  #keep(text: string): void {
    if (this.#entry === undefined) return;
    this.#size += text.length;
    mustBeReadable(this.#size, this.#file);
    this.#entry.push(text);
  }

  #begin(): void {
    this.#inText = true;
    this.#isName = this.#entry === undefined;
    if (this.#isName) this.#name = "";
  }

  #inside(found: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (found === backslash) this.#isEscaped = true;
    else if (found === quote) this.#inText = false;
    else if (this.#isName && this.#name.length < 16) this.#name += String.fromCharCode(found);
  }
}
