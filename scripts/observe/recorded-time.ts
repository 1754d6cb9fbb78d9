/** A time of a record in milliseconds since 1970, with fractions; undefined if it is none. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === "number") return Math.abs(value) <= latest ? value : undefined;
  const text = String(value);
  const at = Date.parse(text);
  if (Number.isNaN(at)) return undefined;
  // Date has no more than three digits of a second.
  const [, more] = /[.,]\d{3}(\d+)/.exec(text) ?? [];
  return more === undefined ? at : at + Number(`0.${more}`);
}

/** That of Date (ECMAScript 21.4.1.1). */
const latest = 8.64e15;

/** By how many milliseconds a recorded time can be wrong: it was rounded to whole seconds, milliseconds or microseconds. */
export function precisionOf(at = 0): number {
  return [1000, 1].find((step) => at % step === 0) ?? 0.001;
}
