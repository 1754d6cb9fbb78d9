/** Text without Markdown syntax, with straight quotes and three dots. */
export const plain = (text: string): string =>
  text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]/g, "")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll("…", "...")
    .replaceAll(/\s+/g, " ")
    .trim();

/** Matches the text, but not as a part of a longer word or number; ignores case. */
export function wholeWords(text: string): RegExp {
  const [before, after] = [/^\w/.test(text) ? "(?<![\\w-]|\\d,)" : "", /\w$/.test(text) ? "(?![\\w-])" : ""];
  return new RegExp(`${before}${text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")}${after}`, "i");
}
