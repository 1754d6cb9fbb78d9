import { isUtf8 } from "node:buffer";
import { maxHeaderSize } from "node:http";
import { headers } from "../../generated/headers.ts";
import { requests } from "../../generated/validators/requests.js";
import { isObject } from "../../lib/objects.ts";
import type { ApiRequest, RequestContext } from "../api/context.ts";
import { canReturn, type ErrorResponse, errorResponse, invalidField } from "../api/error-response.ts";
import { largestMessage } from "../domain/size.ts";
import { bodyLimits } from "../http/body.ts";
import { exceededBound } from "../http/json-bounds.ts";

export interface ReadBody {
  value: Record<string, unknown>;
}

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

/** Parses the JSON object of a body. Any other body is rejected with 422, which names the field `body`. */
export function readBody(
  request: ApiRequest,
  operation: RequestContext["operation"],
): ReadBody | ErrorResponse<"413.send_rejected" | "422.invalid_request" | "503"> {
  const { body } = request;
  const isEmpty = request.bodyOmitted === undefined && (body === null || body.length === 0);
  // An object that requires nothing may be omitted as a whole.
  if (isEmpty && requests[operation.id].body?.({})) return { value: {} };
  if (!isJson(request.headers["content-type"])) {
    return invalidField("body", "Must be JSON, with Content-Type: application/json.");
  }
  if (request.bodyOmitted === "no room") return noRoom;
  if (request.bodyOmitted === "too large") {
    return canReturn(operation, "413.send_rejected") ? tooLarge : unreadLarge;
  }
  if (body === null || body.length === 0) return invalidField("body", "Must be a JSON object.");
  if (!isUtf8(body)) return invalidField("body", "Must be valid UTF-8.");
  const exceeded = exceededBound(body);
  if (exceeded !== undefined) return invalidField("body", exceeded);
  const text = asBuffer(body).toString();
  request.release?.();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return invalidField("body", "Must be valid JSON.");
  }
  return isObject(value) ? { value } : invalidField("body", "Must be a JSON object.");
}

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** A body without a content type is parsed as JSON. */
function isJson(contentType: string | undefined): boolean {
  if (contentType === undefined || contentType === "application/json") return true;
  const end = contentType.indexOf(";");
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase() === "application/json";
}
