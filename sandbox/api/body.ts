import { maxHeaderSize } from "node:http";
import { headers } from "../../generated/headers.ts";
import { requests } from "../../generated/validators/requests.js";
import { isObject } from "../../lib/objects.ts";
import { largestMessage } from "../domain/sending.ts";
import { type ApiRequest, bodyLimits, type RequestContext } from "./context.ts";
import { canReturn, type ErrorResponse, errorResponse, invalidField } from "./error-response.ts";

/** The response to a message beyond the size limit. */
export const tooLarge = errorResponse(
  "413.send_rejected",
  `The message and its attachments are larger than ${largestMessage} bytes.`,
);

/** Too many bodies come in at once: a retry a little later succeeds. */
const noRoom = errorResponse("503", "The server is receiving too many large bodies at once.", {
  [headers.OptionalRetryAfter.name]: "1",
});

const unreadLarge = invalidField("body", `Must not be larger than ${bodyLimits.api / 1024 / 1024} MiB.`);

/** The response to what is not a request. @param code that of Node's error */
export const unreadable = (code?: string): ErrorResponse =>
  invalidField(
    "request",
    code === "HPE_HEADER_OVERFLOW"
      ? `The request line and the headers must not be larger than ${maxHeaderSize / 1024} KiB together.`
      : "This is not a valid HTTP request, or it did not come in in time.",
  );

/** A byte order mark stays: JSON has none. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Parses the JSON object of a body. Any other body is rejected with 422, which names the field `body`. */
export function readBody(request: ApiRequest, operation: RequestContext["operation"]) {
  const { body } = request;
  const isEmpty = request.bodyOmitted === undefined && (body === null || body.length === 0);
  // An object that requires nothing may be omitted as a whole.
  if (isEmpty && requests[operation.id].body?.({})) return { value: {} };
  if (!isJson(request.headers["content-type"]))
    return invalidField("body", "Must be JSON, with Content-Type: application/json.");
  if (request.bodyOmitted === "no room") return noRoom;
  if (request.bodyOmitted === "too large")
    return canReturn(operation, "413.send_rejected") ? tooLarge : unreadLarge;
  if (body === null || body.length === 0) return invalidField("body", "Must be a JSON object.");
  const exceeded = exceededBound(body);
  if (exceeded !== undefined) return invalidField("body", exceeded);
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(body));
  } catch (error) {
    return invalidField("body", `Must be valid ${error instanceof SyntaxError ? "JSON" : "UTF-8"}.`);
  }
  return isObject(value) ? { value } : invalidField("body", "Must be a JSON object.");
}

/** A body without a content type is parsed as JSON. */
const isJson = (contentType = "application/json"): boolean =>
  contentType.split(";", 1)[0]?.trim().toLowerCase() === "application/json";

/**
 * The bounds of a JSON body. They are checked before anything is created from the body: its values take up to fifty times the memory of its
 * bytes, and longer to validate than to receive.
 */
export const jsonBounds = {
  /** Levels of nested objects and lists. The API needs no more than five. */
  depth: 64,
  /**
   * Objects, lists, and values in them. The largest batch has 120,000: 100 messages, each with 150 recipients, 20 tags, 10 headers and 1,000
   * variables.
   */
  values: 150_000,
  /** Bytes of a property name. The longest that is valid, that of an extra header, has 998 characters of at most six bytes (`\\u0058`). */
  name: 8_192,
} as const;

/** The bytes that structure JSON, by code; 0 for all others. A table, since it is looked up for every byte. */
const structural = new Uint8Array(256);
for (const character of '",:[]{}') structural[character.charCodeAt(0)] = character.charCodeAt(0);

/** What a body exceeds, as a sentence for a field error; undefined if nothing. Whether it is JSON is not checked. */
export function exceededBound(body: Uint8Array): string | undefined {
  const { length } = body;
  let depth = 0;
  let values = 0;
  let name = 0;
  for (let at = 0; at < length; at += 1) {
    switch (structural[body[at] as number]) {
      case 0:
        break;
      case 0x22: {
        const end = endOfText(body, at + 1);
        name = end - at - 1;
        at = end;
        break;
      }
      case 0x2c: // ,
        values += 1;
        break;
      case 0x3a: // :
        if (name > jsonBounds.name)
          return `Must not have property names of more than ${jsonBounds.name} bytes.`;
        break;
      case 0x5b: // [
      case 0x7b: // {
        values += 1;
        depth += 1;
        if (depth > jsonBounds.depth) return `Must not be nested deeper than ${jsonBounds.depth} levels.`;
        break;
      default:
        depth -= 1;
    }
  }
  return values > jsonBounds.values ? `Must not have more than ${jsonBounds.values} values.` : undefined;
}

/** The index of the quotation mark that ends a text. */
function endOfText(body: Uint8Array, start: number): number {
  let at = start;
  // Up to a ", and over what a \ escapes.
  while (at < body.length && body[at] !== 0x22) at += body[at] === 0x5c ? 2 : 1;
  return at;
}
