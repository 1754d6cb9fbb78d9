import { idPrefixes } from "../../../generated/ids.ts";
import type { Block } from "./pages.ts";

/** What a page shows as the answer to a call. */
export interface ShownAnswer {
  /** Undefined where only the body is shown. */
  status?: string;
  headers: [name: string, value: string][];
  body: unknown;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** The answer that stands below a call: its body as `json`, or all of it, with some of its headers, as `http`. */
export function shownBelow({ next }: Block): ShownAnswer | undefined {
  if (next?.language === "json") return { headers: [], body: JSON.parse(next.code) };
  if (next?.language === "http") return readAnswer(next.code);
  return undefined;
}

/** An answer as it goes over the wire, or as `curl -i` prints it. */
export function readAnswer(text: string): ShownAnswer {
  const [head = "", ...rest] = text.replaceAll("\r", "").split("\n\n");
  const [first = "", ...lines] = head.split("\n");
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const body = rest.join("\n\n").trim();
  return { status: first.split(" ")[1] ?? "", headers, body: body === "" ? undefined : JSON.parse(body) };
}

/** Whether a page shows that the call fails. */
export const isRefusal = ({ status = "200", body }: ShownAnswer): boolean =>
  status >= "400" || (isRecord(body) && "error" in body);

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
/** Ids are opaque, but for this beginning. */
const isScheduled = (id: string): boolean => id.startsWith(idPrefixes.ScheduledMessageId);

/**
 * An answer as the page would have shown it: ids, times, and numbers that count down are those of the page, where both
 * are of the same kind. Times that the caller chose stay as they are. Learns which id of the page is which of the answer.
 */
export function asShown(actual: unknown, shown: unknown, ids: Map<string, string>, name = ""): unknown {
  if (Array.isArray(actual) && Array.isArray(shown))
    return actual.map((item, index) => asShown(item, shown[index], ids, name));
  if (isRecord(actual) && isRecord(shown))
    return Object.fromEntries(
      Object.entries(actual).map(([key, value]) => [key, asShown(value, shown[key], ids, key)]),
    );
  if (typeof actual !== "string" || typeof shown !== "string") return actual;
  if (/^(id|.*request[-_]id)$/.test(name) && isScheduled(actual) === isScheduled(shown)) {
    if (!ids.has(shown)) ids.set(shown, actual);
    return ids.get(shown) === actual ? shown : actual;
  }
  if (name !== "scheduled_at" && time.test(actual) && time.test(shown)) return shown;
  if (/remaining|retry-after/.test(name) && /^\d+$/.test(actual) && /^\d+$/.test(shown)) return shown;
  return actual;
}
