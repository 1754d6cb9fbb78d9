const longestText = 80;
const mostEntries = 4;
const mostNames = 24;

/** A value as indented JSON for people: long texts, lists and objects are cut, and say how long they are. */
export const shortened = (value: unknown): string => JSON.stringify(cut(value), null, 2) ?? String(value);

function cut(value: unknown): unknown {
  if (typeof value === "string" && value.length > longestText) {
    return `${value.slice(0, longestText / 2)}... (${value.length} characters)`;
  }
  if (Array.isArray(value)) {
    const shown: unknown[] = value.slice(0, mostEntries).map(cut);
    return value.length > mostEntries ? [...shown, `... (${value.length} entries)`] : shown;
  }
  if (typeof value !== "object" || value === null) return value;
  const pairs = Object.entries(value);
  const shown = pairs.slice(0, mostNames).map(([name, inner]): [string, unknown] => [name, cut(inner)]);
  return Object.fromEntries(
    pairs.length > mostNames ? [...shown, ["...", `(${pairs.length} names)`]] : shown,
  );
}
