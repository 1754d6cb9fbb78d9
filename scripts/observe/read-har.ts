import { isObject } from "../../lib/is-object.ts";
import { UserError } from "../../lib/user-error.ts";
import { entriesIn } from "./json-entries.ts";
import type { TrafficExchange } from "./traffic.ts";

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
