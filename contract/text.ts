import { visible } from "../lib/text.ts";

/** Text that begins with a word gets a capital; a name such as `scheduled_at` stays as it is. */
export const capitalized = (text: string): string =>
  /^[a-z]+(?![\w.])/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;

/** `5.3 s` or `2 min 10 s`. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** The text in one line of at most `maxLength` characters. */
export function brief(text: string, maxLength: number): string {
  const line = visible(text).replaceAll(/\s+/g, " ").trim();
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 3).toWellFormed()}...`;
}

/** `a, b and c`. */
export const listOf = (names: readonly string[]): string => names.join(", ").replace(/, ([^,]*)$/, " and $1");

/** The first lines of a list, and how many more there are. */
export const atMost = (lines: readonly string[], limit: number, mark = "- "): string[] => [
  ...lines.slice(0, limit),
  ...(lines.length > limit ? [`${mark}and ${lines.length - limit} more`] : []),
];

/** A value as JSON, shortened. */
export function shown(value: unknown, most = 120): string {
  const text = JSON.stringify(value) ?? "absent";
  return text.length <= most ? text : `${text.slice(0, most - 3)}...`;
}

/** The start of a long text, or the part around its first difference from another one, which may be written in another way. */
export function fromDifference(text: string, other: string, most: number, written = (part: string) => part) {
  const [characters, others] = [[...text], [...other]];
  const same = text === other ? 0 : characters.findIndex((character, index) => character !== others[index]);
  const difference = same < 0 ? characters.length : same;
  const start = characters.length <= most ? 0 : Math.max(0, difference - Math.floor(most / 3));
  const part = written(characters.slice(start, start + most).join(""));
  const [head, tail] = [start > 0 ? "..." : "", start + most < characters.length ? "..." : ""];
  return head + part + tail + (head + tail === "" ? "" : ` (${characters.length} characters)`);
}

/**
 * A value for one line, to be compared with another one: of a long text the part around the first difference, with characters that cannot be
 * seen or told apart as codes.
 */
export function contrasted(value: unknown, other: unknown): string {
  if (typeof value !== "string")
    return visible(fromDifference(shown(value, Infinity), shown(other, Infinity), 60));
  return fromDifference(value, typeof other === "string" ? other : "", 36, (part) =>
    visible(JSON.stringify(part).replaceAll(/\p{M}/gu, codeOf)),
  );
}

const codeOf = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;
