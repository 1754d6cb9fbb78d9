import { isUtf8 } from "node:buffer";
import { headers } from "../../generated/headers.ts";
import type { OperationRow } from "../../generated/operations.ts";
import type { ApiRequest } from "../api/context.ts";
import { canReturn, type ErrorResponse, errorResponse, invalidField } from "../api/error-response.ts";
import { largestMessage } from "../domain/size.ts";

/** Levels of objects and lists in each other. Nothing in the API needs more than five. */
const deepest = 64;

/** A body that was read. */
export interface ReadBody {
  value: Record<string, unknown>;
}

/** A message that is larger than any that goes. */
export const tooLarge = errorResponse(
  "413.send_rejected",
  `The message and its attachments are larger than ${largestMessage} bytes.`,
);

/** Too much is coming in at once. Whoever comes again a little later finds room. */
const noRoom = errorResponse("503", "There is no room for a body of this size beside the others right now.", {
  [headers.OptionalRetryAfter.name]: "1",
});

/** What somebody is answered whose request cannot be read as HTTP at all. */
export const unreadable = invalidField(
  "request",
  "This could not be read as an HTTP request, or did not come in time.",
);

/** Reads the JSON object of a body. What is none is refused as the field `body`. */
export function readBody(
  request: ApiRequest,
  operation: OperationRow,
): ReadBody | ErrorResponse<"413.send_rejected" | "422.invalid_request" | "503"> {
  if (!isJson(request.headers["content-type"])) {
    return invalidField("body", "Send the body as JSON, with Content-Type: application/json.");
  }
  const { body } = request;
  if (request.bodyOmitted === "no room") return noRoom;
  if (request.bodyOmitted === "too large") {
    return canReturn(operation, "413.send_rejected")
      ? tooLarge
      : invalidField("body", "The body is too large.");
  }
  if (body === null || body.length === 0) return invalidField("body", "A JSON object is needed here.");
  if (!isUtf8(body)) return invalidField("body", "The body is not valid UTF-8.");
  let value: unknown;
  try {
    value = JSON.parse(asBuffer(body).toString());
  } catch {
    return invalidField("body", "The body is not valid JSON.");
  }
  if (!isObject(value)) return invalidField("body", "The body must be a JSON object.");
  // Short bodies cannot be deep enough to do harm.
  if (body.length > deepest && !isShallow(value, deepest)) {
    return invalidField("body", `The body is nested deeper than ${deepest} levels.`);
  }
  return { value };
}

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** A body without a label is taken for JSON; one with another label is not. */
function isJson(contentType: string | undefined): boolean {
  if (contentType === undefined || contentType === "application/json") return true;
  const end = contentType.indexOf(";");
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase() === "application/json";
}

/** Whether a JSON value is an object, and not a list or null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isShallow(value: object, levels: number): boolean {
  if (levels === 0) return false;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (typeof item === "object" && item !== null && !isShallow(item, levels - 1)) return false;
    }
    return true;
  }
  for (const name in value) {
    const item: unknown = (value as Record<string, unknown>)[name];
    if (typeof item === "object" && item !== null && !isShallow(item, levels - 1)) return false;
  }
  return true;
}
