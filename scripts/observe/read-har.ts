import { isObject, jsonOf } from "../../lib/objects.ts";
import { UserError } from "../../lib/user-error.ts";
import type { TrafficExchange } from "./traffic.ts";

type Json = Record<string, unknown>;

/**
 * The exchanges of an HTTP archive (HAR 1.2), such as those of browsers and of `redocly proxy`.
 * @throws UserError with exit code 2 if it is not one, or not all of one
 */
export function* readHar(archive: string, name: string): Generator<TrafficExchange> {
  const fail = (message: string, hint: string): UserError => new UserError(message, { hint, exitCode: 2 });
  const { log } = Object(jsonOf(archive.replace(/^\uFEFF/, ""))) as { log?: { entries?: unknown } };
  if (!Array.isArray(log?.entries))
    throw fail(
      `${name} is not an HTTP archive: it is no JSON, or has no log.entries`,
      "Give a whole file in the format HAR 1.2, in UTF-8; --ndjson reads one JSON object per line.",
    );
  for (const [index, entry] of log.entries.entries()) {
    const { request, response, _fromCache, ...times } = Object(entry) as Json;
    if (!isObject(request) || !isObject(response))
      throw fail(
        `entry ${index + 1} of ${name} has no request or no response`,
        "Record the traffic again, or remove the entry.",
      );
    // Otherwise a browser did not send it.
    if (_fromCache === undefined) yield exchangeOf(request, response, times);
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
