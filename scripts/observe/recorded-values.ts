import { isObject, mapValues } from "../../lib/objects.ts";

export const numberOf = (value: unknown): number =>
  typeof value === "number" || typeof value === "string" ? Number(value) : Number.NaN;

/** The status code of a response; 0 for what is none. */
export function statusOf(value: unknown): number {
  const status = numberOf(value);
  return Number.isInteger(status) && status >= 100 && status < 1000 ? status : 0;
}

/** Half the last time of Date (ECMAScript 21.4.1.1): a time and a duration make one. */
const latest = 8.64e15 / 2;

/** In milliseconds; undefined if it is none. */
export function durationOf(value: unknown): number | undefined {
  const duration = numberOf(value);
  return duration >= 0 && duration < latest ? duration : undefined;
}

/** A time of a record in milliseconds since 1970, with fractions; undefined if it is none. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === "number") return durationOf(value);
  const text = String(value);
  // Date has no more than three digits of a second.
  const [, more = ""] = /[.,]\d{3}(\d+)/.exec(text) ?? [];
  return durationOf(Date.parse(text) + Number(`0.${more}`));
}

/** By how many milliseconds a recorded time can be wrong: it was rounded to whole seconds, milliseconds or microseconds. */
export const precisionOf = (at = 0): number => [1000, 1].find((step) => at % step === 0) ?? 0.001;

/** By lower-case name, without the pseudo-headers of HTTP/2. Some tools write an object in place of the list. */
export function headersOf(headers: unknown): Record<string, string> {
  const all = Array.isArray(headers)
    ? headers.filter(isObject).map(({ name, value }) => [String(name), value] as const)
    : Object.entries(Object(headers));
  const named = all.filter(([name]) => !name.startsWith(":"));
  return mapValues(
    Object.groupBy(named, ([name]) => name.toLowerCase()),
    (own = []) => own.flatMap(([, value]) => [value].flat().map(String)).join(", "),
  );
}
