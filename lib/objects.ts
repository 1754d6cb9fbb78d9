export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a value is an object or an array. */
export const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** The type of a value in JSON Schema: "integer" rather than "number" where it is one. */
export function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

/** An object with the same keys and converted values. */
export function mapValues<Values extends object, To>(
  values: Values,
  change: (value: Values[keyof Values], name: string) => To,
): { [Name in keyof Values]: To } {
  const entries = Object.entries(values).map(([name, value]) => [name, change(value, name)]);
  return Object.fromEntries(entries) as { [Name in keyof Values]: To };
}

/** A copy of a value of JSON with its texts changed. */
export const mapTexts = <Value>(value: Value, change: (text: string) => unknown): Value =>
  JSON.parse(JSON.stringify(value), (_, inner) => (typeof inner === "string" ? change(inner) : inner));

/** A text as JSON; undefined if it is not JSON, or nested in more levels than anything can be expected to read. */
export function jsonOf(text: string, levels = 500): unknown {
  // Functions that call themselves for each level can take 500, and no message of a real API has as many.
  try {
    // Names may be escaped, in which case a letter of ASCII is.
    const value: unknown = JSON.parse(
      text,
      /toString|valueOf|\\u00[4-7]/.test(text) ? withConversion : undefined,
    );
    return text.length < 2 * levels || isNestedWithin(value, levels) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Converting a value to a text or number must not fail: properties with the names of its methods would hide these. */
function withConversion(_: string, value: unknown): unknown {
  if (isObject(value) && (Object.hasOwn(value, "toString") || Object.hasOwn(value, "valueOf")))
    Object.defineProperty(value, Symbol.toPrimitive, { value: () => "[object Object]" });
  return value;
}

/** What a function returns; undefined if it throws. */
export function attempted<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** A function that computes its result once for each object. */
export function oncePer<Value extends object, Result>(compute: (value: Value) => Result) {
  const results = new WeakMap<Value, Result>();
  return (value: Value): Result => {
    const result = results.get(value) ?? compute(value);
    results.set(value, result);
    return result;
  };
}

/** Whether nothing in a value is nested in more levels. */
export const isNestedWithin = (value: unknown, levels: number): boolean =>
  !isTree(value) || (levels > 0 && Object.values(value).every((inner) => isNestedWithin(inner, levels - 1)));

/** A value as JSON with sorted keys, whose order has no meaning. */
export const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
