/** The JSON value with the keys of every object in it in code-unit order. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sortKeys((value as Record<string, unknown>)[name])]));
}

/** The JSON value as text that does not depend on the order of keys. `undefined` becomes `undefined`. */
export const canonicalJson = (value: unknown): string => JSON.stringify(sortKeys(value)) ?? "undefined";
