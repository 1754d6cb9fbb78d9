import { operationAddress } from "./addresses.ts";

/** A link to a page of the site. */
export const siteLink = (text: string, address: string): string => `[${text}](site:${address})`;

/**
 * Links to operations by their ids. Search passes over them: whoever looks for an operation wants its page, not every
 * page that leads there.
 */
export const operationLinks = (ids: string[]): string =>
  `<span data-pagefind-ignore>${ids.map((id) => siteLink(code(id), operationAddress(id))).join(", ")}</span>`;

/** A place that links can lead to, where no heading stands. */
export const anchor = (id: string): string => `<a id="${id}"></a>`;

/** Text as code, whatever is in it (CommonMark, "Code spans"). */
export function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `\`${text}\`` : `${fence} ${text} ${fence}`;
}

/** Text between tags of HTML, where nothing is read as Markdown: it stands there as it is. */
export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A block of code. */
export const block = (language: string, text: string): string =>
  `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;

/** The value as a block of JSON. */
export const jsonBlock = (value: unknown): string => block("json", JSON.stringify(value, null, 2));

/** Text in a cell of a table. */
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

/** A table. */
export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** An entry of a list with what belongs below it. */
export function entry(first: string, ...below: string[]): string {
  const paragraphs = [first, ...below.filter((text) => text !== "")].join("\n\n");
  return `- ${paragraphs.replaceAll(/\n(?=.)/g, "\n  ")}`;
}

/** Parts of a page, with an empty line between; parts without text are left out. */
export const joined = (...parts: (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== "").join("\n\n");

/** "a, b or c". */
export function either(words: string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} or ${last}`;
}
