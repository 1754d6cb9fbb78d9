const boundingFormats = new Set(["date", "date-time", "ipv4", "ipv6", "uuid"]);

/** Whether a schema is of the given type, alone or among others. */
export function isOfType(schema: Record<string, unknown>, type: string): boolean {
  return Array.isArray(schema.type) ? schema.type.includes(type) : schema.type === type;
}

/** Whether the strings of a schema have a longest one: by its length, its values, its format or its pattern. */
export function isBoundedString(schema: Record<string, unknown>): boolean {
  return (
    typeof schema.maxLength === "number" ||
    Array.isArray(schema.enum) ||
    "const" in schema ||
    (typeof schema.format === "string" && boundingFormats.has(schema.format)) ||
    (typeof schema.pattern === "string" && isBoundedPattern(schema.pattern))
  );
}

/**
 * Whether a regular expression only matches texts up to some length: it is anchored at both ends and repeats nothing
 * without limit. In doubt it says no.
 */
export function isBoundedPattern(pattern: string): boolean {
  // What is escaped, and what stands in a class, is one character and no operator.
  const plain = pattern.replace(/\\./gs, "e").replace(/\[[^\]]*\]/g, "c");
  if (!plain.startsWith("^") || !plain.endsWith("$")) return false;
  if (/[*+]|\{\d+,\}/.test(plain)) return false;
  return !hasOpenAlternative(plain);
}

/** Whether there is a `|` outside every group, which leaves each side with one anchor only. */
function hasOpenAlternative(plain: string): boolean {
  let depth = 0;
  for (const character of plain) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character === "|" && depth === 0) return true;
  }
  return false;
}
