import { isObject, jsonOf } from "../../lib/objects.ts";
import { usageError } from "../../lib/user-error.ts";
import type { TrafficExchange } from "./traffic.ts";

type Json = Record<string, unknown>;

/**
 * The exchanges of an HTTP archive (HAR 1.2), such as those of browsers and of `redocly proxy`.
 * @throws UserError with exit code 2 if it is not one, or not all of one
 */
export function* readHar(archive: string, name: string): Generator<TrafficExchange> {
  const { log } = Object(jsonOf(archive.replace(/^\uFEFF/, ""))) as { log?: { entries?: unknown } };
  if (!Array.isArray(log?.entries))
    throw usageError(
      `${name} is not an HTTP archive: it is not JSON, or has no log.entries`,
      "Give a whole file in the format HAR 1.2, in UTF-8; --ndjson reads one JSON object per line.",
    );
  for (const [index, entry] of log.entries.entries()) {
    const { request, response, _fromCache, ...times } = Object(entry) as Json;
    if (!isObject(request) || !isObject(response))
      throw usageError(
        `entry ${index + 1} of ${name} has no request or no response`,
        "Record the traffic again, or remove the entry.",
      );
    // Otherwise a browser did not send it.
    if (_fromCache === undefined) yield exchangeOf(request, response, times);
  }
}

function exchangeOf(request: Json, response: Json, { startedDateTime, time }: Json): TrafficExchange {
  const { postData } = request;
  const { content } = response;
  const sent = bodyOf(Object(postData), isObject(postData) || isPositive(request.bodySize));
  const size = isObject(content) ? content.size : response.bodySize;
  const received = bodyOf(Object(content), isPositive(size));
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

/** What an archive has of a body. Some tools keep only its start, or nothing. */
function bodyOf(content: Json, hasContent: boolean): { text?: string; isCut: boolean } {
  const { text, encoding, size } = content;
  if (typeof text !== "string") return { isCut: hasContent };
  const isEncoded = (encoding ?? content._encoding) === "base64";
  const own = isEncoded ? Buffer.from(text, "base64").toString() : text;
  return { text: own, isCut: !isEncoded && typeof size === "number" && size > Buffer.byteLength(own) };
}

const isPositive = (value: unknown): boolean => typeof value === "number" && value > 0;
