import { isObject, jsonOf } from "../../lib/objects.ts";
import { usageError } from "../../lib/user-error.ts";
import { durationOf, headersOf, numberOf, precisionOf, statusOf, timeOf } from "./recorded-values.ts";
import type { Ignored, TrafficExchange } from "./traffic.ts";

type Json = Record<string, unknown>;

/** The content of a file that an archive names, such as a body. */
export type Attachment = (name: string) => string | undefined;

/**
 * The exchanges of an HTTP archive (HAR 1.2), such as those of browsers and of `redocly proxy`, and the reason for each entry without one.
 * @throws UserError with exit code 2 if it is not one, or not all of one
 */
export function* readHar(
  archive: string,
  name: string,
  attachment: Attachment = () => undefined,
): Generator<TrafficExchange | Ignored> {
  const { log } = Object(jsonOf(archive.replace(/^\uFEFF/, ""))) as { log?: Json };
  const all: unknown = log?.entries;
  if (!Array.isArray(all))
    throw usageError(
      `${name} is not an HTTP archive: it is not JSON, or has no log.entries`,
      "Give a whole file in the format HAR 1.2, in UTF-8; --ndjson reads one JSON object per line.",
    );
  const entries = all.map((entry) => Object(entry) as Json);
  const precision = entries
    .map(({ startedDateTime }) => precisionOf(timeOf(startedDateTime)))
    .reduce((least, one) => Math.min(least, one), 1000);
  const times = entries.map(({ time }) => numberOf(time));
  // Some tools write zero for a duration that they do not know.
  const isWhole = times.every(Number.isInteger) && times.some((time) => time > 0);
  const serial = serialConnections(entries, precision);
  const isFirefox = Object(log?.creator).name === "Firefox";
  for (const entry of entries) {
    const { request, response, connection } = entry;
    if (!isObject(request)) yield "without a request";
    else if (isFromCache(entry, isFirefox)) yield "from a cache";
    else
      yield {
        // The archive may have been written before the server responded.
        ...exchangeOf(request, isObject(response) ? response : { _error: "ABORTED" }, attachment),
        ...timesOf(entry, precision, isWhole),
        ...(serial.has(connection) && { connection: `${name} ${connection}` }),
      };
  }
}

/** Whether a browser did not send a request: it, or a worker of the page, responded. */
function isFromCache(entry: Json, isFirefox: boolean): boolean {
  const { _fromCache, _fetchType = "", request, response, time, timings } = entry;
  if (_fromCache !== undefined || /cache|worker|override/i.test(String(_fetchType))) return true;
  // Firefox says so by times alone, which may be rounded. What it received has headers, in bytes. A GET changes nothing.
  const isImmediate = time === 0 && Object.values(Object(timings)).every((one) => numberOf(one) <= 0);
  const { headersSize, bodySize, content } = Object(response) as Json;
  const isReceived = numberOf(headersSize) > 0 || numberOf(bodySize) > numberOf(Object(content).size);
  return isFirefox && isImmediate && !isReceived && Object(request).method === "GET";
}

/** Tools add up the phases of an exchange, each of which may have been rounded. */
function timesOf({ startedDateTime, time, timings }: Json, precision: number, isWhole: boolean) {
  const phases = Object.values(Object(timings)).filter((one) => numberOf(one) >= 0).length;
  return {
    startedAt: timeOf(startedDateTime),
    milliseconds: time === 0 && !isWhole ? undefined : durationOf(time),
    precision: precision + (isWhole ? Math.max(phases, 1) : 0),
  };
}

/** The connections that carried one exchange after the other, in the order of the archive: not those of HTTP/2. */
function serialConnections(entries: readonly Json[], precision: number): ReadonlySet<unknown> {
  const last = new Map<unknown, { start: number; end: number }>();
  // Firefox has the port of the server in their place.
  const others = new Set<unknown>([undefined, "80", "443"]);
  for (const { connection, request, startedDateTime, time } of entries) {
    const { httpVersion, url } = Object(request) as Json;
    const start = timeOf(startedDateTime) ?? Number.NaN;
    const before = last.get(connection) ?? { start, end: start };
    const isAfter = start >= before.start && start + precision >= before.end;
    const isPort = String(url).includes(`:${connection}/`);
    if (!isAfter || isPort || !/^HTTP\/1/i.test(String(httpVersion))) others.add(connection);
    last.set(connection, { start, end: start + (durationOf(time) ?? 0) });
  }
  return new Set([...last.keys()].filter((name) => !others.has(name)));
}

function exchangeOf(request: Json, response: Json, attachment: Attachment) {
  const [requestHeaders, responseHeaders] = [headersOf(request.headers), headersOf(response.headers)];
  const method = String(request.method).toUpperCase();
  const status = statusOf(response.status);
  const sent = bodyOf(withFile(request.postData, attachment), {
    headers: requestHeaders,
    size: request.bodySize,
    isEmpty: /^(GET|HEAD|DELETE)$/.test(method) && !(Number(requestHeaders["content-length"]) > 0),
  });
  const received = bodyOf(withFile(response.content, attachment), {
    headers: responseHeaders,
    size: response.bodySize,
    isEmpty: method === "HEAD" || [0, 204, 304].includes(status),
  });
  // The browser did not wait for a response, as Chrome and Playwright say, or the archive has none.
  const isGivenUp = /ABORTED|cancell?ed/i.test(String(response._failureText ?? response._error));
  const isCut = status === 0 ? isGivenUp : sent.isCut || received.isCut;
  return {
    method,
    // Browsers keep the fragment, which they do not send.
    url: String(request.url).replace(/#.*/, ""),
    requestHeaders,
    requestBody: sent.text || undefined,
    status,
    responseHeaders,
    responseBody: received.text ?? "",
    ...(isCut && { isCut }),
  };
}

/** A body with the text of the file that has it, if the archive names one. */
function withFile(given: unknown, attachment: Attachment): Json {
  const { _file, ...body } = Object(given) as Json;
  const text = typeof _file === "string" ? attachment(_file) : undefined;
  return text === undefined ? body : { ...body, text, size: Buffer.byteLength(text), encoding: undefined };
}

/** What an archive has of the body of a message. Some tools keep only its start, or nothing: what is not known to be empty is unknown. */
function bodyOf(
  content: Record<string, unknown>,
  { headers, size, isEmpty }: { headers: Record<string, string>; size: unknown; isEmpty: boolean },
): { text?: string; isCut: boolean } {
  const sizes = [content.size, size].filter((one) => typeof one === "number" && one >= 0).map(Number);
  const length = "content-encoding" in headers ? Number.NaN : Number(headers["content-length"]);
  const most = Math.max(...sizes, ...(length >= 0 ? [length] : []));
  const text = plainText(content);
  if (text === undefined || text === "") {
    const isKnown = isEmpty || (most === 0 && (sizes.length === 2 || length === 0 || size === 0));
    return { ...(text === "" && { text }), isCut: !isKnown };
  }
  // Sizes may be those of a compressed body. A part of a JSON object is none.
  if (jsonOf(text) !== undefined) return { text, isCut: false };
  return { text, isCut: most < 0 || most > Buffer.byteLength(text) };
}

/** The text of a body. Firefox writes `base64` beside texts that are not encoded. */
function plainText({ text, encoding, _encoding, size }: Record<string, unknown>): string | undefined {
  if (typeof text !== "string") return undefined;
  const isEncoded =
    (encoding ?? _encoding) === "base64" &&
    /^[\w+/\s-]*=*$/.test(text) &&
    (text === "" || size !== Buffer.byteLength(text));
  return isEncoded ? Buffer.from(text, "base64").toString() : text;
}
