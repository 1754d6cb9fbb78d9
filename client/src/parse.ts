import type { ErrorDetail } from "../../generated/client/models.ts";
import { retryAfterHeader } from "../../generated/client/table.ts";

/** A JSON object of unknown shape. */
export type Json = Record<string, unknown>;

/** Reads a body as text; returns "" if it is too large. */
export async function readText({ body }: Response): Promise<string> {
  // In characters; responses of the service are far smaller.
  const maxLength = 1e7;
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > maxLength) return "";
  }
  return text;
}

/** Parses a JSON object; undefined for anything else, also for an array. */
export function parseObject(text: string, redact?: (text: string) => string): Json | undefined {
  try {
    const value = /^\s*{/.test(text) ? JSON.parse(text) : undefined;
    // Serialized again, because escapes could hide the key.
    return redact ? JSON.parse(redact(JSON.stringify(value))) : value;
  } catch {}
  return undefined;
}

export const isText = (value: unknown): boolean => typeof value === "string";

/** The error in the body of a failure. */
export type ResponseError = Partial<ErrorDetail>;

/** The error in the body of a failure, without properties of the wrong type; empty if there is none. */
export function errorIn(body: Json | undefined): ResponseError {
  const error = Object(body?.error);
  for (const name of ["type", "message", "request_id"]) if (!isText(error[name])) delete error[name];
  const reasons = Object.values(Object(error.fields));
  if (!(reasons.length && reasons.every(Array.isArray) && reasons.flat().every(isText))) delete error.fields;
  return error;
}

/** The number if it is 0 or more, else null. */
export const nonNegative = (number: number): number | null => (number >= 0 ? number : null);

/**
 * `Retry-After` in seconds, from seconds or from a date (HEAD-8) relative to the `Date` header; null without one. If there are
 * several, because a proxy adds its own, the longest.
 */
export function retryAfterOf(headers: Headers | undefined, now: number): number | null {
  const text = headers?.get(retryAfterHeader) || "-";
  return (
    // Math.max converts strings to numbers.
    nonNegative(Math.max(...(text.split(",") as unknown[] as number[]))) ??
    nonNegative((Date.parse(text) - (Date.parse(headers?.get("date") as string) || now)) / 1000)
  );
}
