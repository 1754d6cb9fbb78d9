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
    return Object(value) === value ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `Retry-After` in seconds, given as seconds or as a date (HEAD-8), which counts from the service's own time; null where there is none. */
export function secondsToWait(headers: Headers | undefined, now: number): number | null {
  const text = headers?.get(retryAfterHeader) || "-";
  const seconds =
    +text >= 0 ? +text : (Date.parse(text) - (Date.parse(`${headers?.get("date")}`) || now)) / 1000;
  return seconds >= 0 ? seconds : null;
}
