import { idPrefixes } from "../../../generated/ids.ts";
import type { Block } from "./pages.ts";

/** The response that a guide shows for a request. */
export interface ShownResponse {
  /** Undefined if only the body is shown. */
  status?: string;
  headers: [name: string, value: string][];
  body: unknown;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** The response below a request: its body as `json`, or all of it with some headers as `http`. */
export function shownBelow({ next }: Block): ShownResponse | undefined {
  if (next?.language === "json") return { headers: [], body: JSON.parse(next.code) };
  if (next?.language === "http") return parseResponse(next.code);
  return undefined;
}

/** Parses a response as `curl -i` prints it. */
export function parseResponse(text: string): ShownResponse {
  const [head = "", ...rest] = text.replaceAll("\r", "").split("\n\n");
  const [first = "", ...lines] = head.split("\n");
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const body = rest.join("\n\n").trim();
  return { status: first.split(" ")[1] ?? "", headers, body: body === "" ? undefined : JSON.parse(body) };
}

export const isError = ({ status = "200", body }: ShownResponse): boolean =>
  status >= "400" || (isRecord(body) && "error" in body);

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const isScheduled = (id: string): boolean => id.startsWith(idPrefixes.ScheduledMessageId);

/**
 * The actual response with the ids, times and countdowns of the guide wherever both are of the same kind. Times that
 * the request chose stay as they are. Records in `ids` which id of the guide stands for which actual id.
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
