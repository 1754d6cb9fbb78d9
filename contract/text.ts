import { startOf, visible } from "../lib/text.ts";

/** Text that begins with a word gets a capital; a name such as `scheduled_at` stays as it is. */
export const capitalized = (text: string): string =>
  /^[a-z]+(?![\w.])/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;

/** `5.3 s`, `2 min 10 s` or `29 d 23 h`. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const [unit, lower, size, part] = units.find(([, , one]) => seconds >= one) ?? units[2];
  const whole = Math.round(seconds / part);
  return `${Math.floor((whole * part) / size)} ${unit} ${whole % (size / part)} ${lower}`;
}

/** With the next lower ones, in seconds. */
const units = [
  ["d", "h", 86_400, 3600],
  ["h", "min", 3600, 60],
  ["min", "s", 60, 1],
] as const;

/** The text in one line of at most `maxLength` characters. */
export const brief = (text: string, maxLength: number): string =>
  cutTo(visible(text).replaceAll(/\s+/g, " ").trim(), maxLength);

const cutTo = (text: string, most: number): string =>
  text.length <= most ? text : `${startOf(text, most - 3)}...`;

/** Characters of a reason that a server gives. */
export const maxReason = 90;

/** A reason in quotation marks, without the values of the request that it repeats. */
export function quoted(reason: unknown): string {
  const whole = typeof reason === "string" ? reason : (JSON.stringify(reason) ?? "");
  const words = startOf(whole, 4 * maxReason)
    .replaceAll(/'[^']*'|`[^`]*`|\S+@\S+|\S*\d\S{5,}|\S{5,}\d\S*/g, "...")
    .replace(/\.$/, "");
  // Without words, it says nothing.
  return /[a-z]{3}/i.test(words) ? `: "${brief(words, maxReason)}"` : "";
}

/** `a, b and c`. */
export const listOf = (names: readonly string[]): string =>
  [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");

/** The first lines of a list, and how many more there are. */
export const atMost = (lines: readonly string[], limit: number, mark = "- "): string[] => [
  ...lines.slice(0, limit),
  ...(lines.length > limit ? [`${mark}and ${lines.length - limit} more`] : []),
];

/** The first names of a list: `a, b and 3 more`. */
export const inShort = (names: readonly string[], limit: number): string =>
  names.slice(0, limit).join(", ") + (names.length > limit ? ` and ${names.length - limit} more` : "");

/** A value as JSON, shortened. */
export const shown = (value: unknown, most = 120): string => cutTo(JSON.stringify(value) ?? "absent", most);

/** Characters of a value around the first difference. */
const around = 36;

/**
 * A value for one line, to be compared with another one: of a long text the part around the first difference, with characters that cannot be
 * seen or told apart as codes.
 */
export function contrasted(value: unknown, other: unknown): string {
  if (typeof value !== "string") return visible(shown(value, 60));
  const [characters, others] = [[...value], typeof other === "string" ? [...other] : []];
  const same = characters.findIndex((character, index) => character !== others[index]);
  const difference = same < 0 ? characters.length : same;
  if (same < 0 && characters.length > around && others.length > characters.length)
    return `its first ${characters.length} of ${others.length} characters`;
  const start = characters.length <= around ? 0 : Math.max(0, difference - 12);
  const part = characters.slice(start, start + around);
  // Two characters of another code can look the same.
  const isForm = typeof other === "string" && other.normalize("NFKC") === value.normalize("NFKC");
  const text = visible(JSON.stringify(part.join("")).replaceAll(isForm ? /[^ -~]/gu : /\p{M}/gu, codeOf));
  const [head, tail] = [start > 0 ? "..." : "", start + part.length < characters.length ? "..." : ""];
  return head + text + tail + (head + tail === "" ? "" : ` (${characters.length} characters)`);
}

const codeOf = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;
