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
