import type { Node } from "../document/values.ts";

const boundingFormats = new Set(["date", "date-time", "ipv4", "ipv6", "uuid"]);

/** Whether the length of strings is bounded: by `maxLength`, values, format or pattern. */
export function isBoundedString(schema: Node): boolean {
  return (
    typeof schema.maxLength === "number" ||
    Array.isArray(schema.enum) ||
    "const" in schema ||
    (typeof schema.format === "string" && boundingFormats.has(schema.format)) ||
    (typeof schema.pattern === "string" && isBoundedPattern(schema.pattern))
  );
}

/**
 * Whether a regular expression only matches strings up to some length: it is anchored at both ends and has no unlimited
 * repetition. False if in doubt.
 */
export function isBoundedPattern(pattern: string): boolean {
  // An escape and a character class are one character each.
  const plain = pattern.replace(/\\./gs, "e").replace(/\[[^\]]*\]/g, "c");
  if (!plain.startsWith("^") || !plain.endsWith("$")) return false;
  if (/[*+]|\{\d+,\}/.test(plain)) return false;
  return !hasOpenAlternative(plain);
}

/** Whether there is a `|` outside every group: then each side has one anchor only. */
function hasOpenAlternative(plain: string): boolean {
  let depth = 0;
  for (const character of plain) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character === "|" && depth === 0) return true;
  }
  return false;
}
