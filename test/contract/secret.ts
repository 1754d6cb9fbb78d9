const mark = "***";
/** A key of a few letters could be part of any word; only longer ones are struck out wherever they stand. */
const shortest = 8;

/** The text without the API key, in whichever of the forms it stands there: plain, in JSON, or in an address. */
export function withoutKey(text: string, key: string): string {
  const forms = [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)];
  return forms.reduce((rest, form) => {
    const bearer = rest.replaceAll(`Bearer ${form}`, `Bearer ${mark}`);
    return form.length < shortest ? bearer : bearer.replaceAll(form, mark);
  }, text);
}

/** A JSON value whose texts and names are without the API key. */
export function valueWithoutKey(value: unknown, key: string): unknown {
  if (typeof value === "string") return withoutKey(value, key);
  if (Array.isArray(value)) return value.map((entry) => valueWithoutKey(entry, key));
  if (typeof value !== "object" || value === null) return value;
  const pairs = Object.entries(value).map(([name, inner]) => [
    withoutKey(name, key),
    valueWithoutKey(inner, key),
  ]);
  return Object.fromEntries(pairs) as unknown;
}
