import { retryAfterHeader } from "../../generated/client/table.ts";

/** An object of JSON, of which nothing is known yet. */
export type Json = Record<string, unknown>;

/** Reads a body as text; an empty text where it is too large. */
export async function read({ body }: Response): Promise<string> {
  // In characters. What the service answers is far smaller.
  const largest = 1e7;
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > largest) return "";
  }
  return text;
}

/** The object that a text is in JSON; undefined where it is something else. */
export function objectIn(text: string): Json | undefined {
  try {
    const value = JSON.parse(text);
    if (Object(value) === value) return value;
  } catch {}
  return undefined;
}

/** A number that is none below 0; null otherwise. */
export const countOf = (number: number): number | null => (number >= 0 ? number : null);

/**
 * `Retry-After` in seconds, given as seconds or as a date (HEAD-8), which counts from the service's own time; null where there is
 * none. Of several, as when a proxy adds its own, the longest.
 */
export function secondsToWait(headers: Headers | undefined, now: number): number | null {
  const text = headers?.get(retryAfterHeader) || "-";
  return (
    // It makes numbers of texts by itself.
    countOf(Math.max(...(text.split(",") as unknown[] as number[]))) ??
    countOf((Date.parse(text) - (Date.parse(headers?.get("date") as string) || now)) / 1000)
  );
}
