const longestText = 80;
const longestLine = 90;
const mostEntries = 4;
const mostNames = 24;

/** A value as JSON for people: long texts, lists and objects are cut, and say how long they are. */
export const shortened = (value: unknown): string => printed(cut(value), "");

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

/** What fits into a line stands in one. */
function printed(value: unknown, margin: string): string {
  const line = JSON.stringify(value) ?? String(value);
  if (typeof value !== "object" || value === null || margin.length + line.length <= longestLine) return line;
  const inner = `${margin}  `;
  const parts = Array.isArray(value)
    ? value.map((entry) => printed(entry, inner))
    : Object.entries(value).map(([name, entry]) => `${JSON.stringify(name)}: ${printed(entry, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${parts.map((part) => inner + part).join(",\n")}\n${margin}${close}`;
}
