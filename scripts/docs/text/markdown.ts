import { escapeHtml } from "../../../lib/html.ts";
import { operationPath } from "./page-paths.ts";

/** A link to a page of the site. */
export const siteLink = (text: string, path: string): string => `[${text}](site:${path})`;

/** Links to operations by their ids. The search skips them, so that it finds the operation's own page first. */
export const operationLinks = (ids: string[]): string =>
  `<span data-pagefind-ignore>${ids.map((id) => siteLink(code(id), operationPath(id))).join(", ")}</span>`;

/** A link target outside headings. */
export const anchor = (id: string): string => `<a id="${id}"></a>`;

/**
 * A link target with a link to itself, which is there on hover and focus.
 *
 * @param name Markdown
 */
export const linkedAnchor = (id: string, name: string): string =>
  `<a id="${id}" class="self" href="#${id}" aria-label="Link to ${escapeHtml(name.replaceAll("`", ""))}"></a>`;

/** Inline code with any content (CommonMark, "Code spans"). */
export function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `\`${text}\`` : `${fence} ${text} ${fence}`;
}

export const codeBlock = (language: string, text: string): string =>
  `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

export const bulletList = (lines: string[]): string => lines.map((line) => `- ${line}`).join("\n");

/** A list entry with paragraphs below its first line. */
export function entry(first: string, ...below: string[]): string {
  const paragraphs = [first, ...below.filter((text) => text !== "")].join("\n\n");
  return `- ${paragraphs.replaceAll(/\n(?=.)/g, "\n  ")}`;
}

/** A list of fields, parameters or headers, styled as rows. */
export const fieldList = (...entries: string[]): string =>
  `<div class="fields">\n\n${entries.join("\n")}\n\n</div>`;

/** A section that is closed at first. `summary` is HTML, `attributes` those of the element. */
export const collapsed = (summary: string, text: string, attributes = ""): string =>
  text === "" ? "" : joined(`<details${attributes}>\n<summary>${summary}</summary>`, text, "</details>");

/** Blocks of a page, separated by empty lines; empty ones are dropped. */
export const joined = (...parts: (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== "").join("\n\n");

/** Blocks in one table cell, each on its own line. */
export const cellLines = (...parts: (string | undefined)[]): string =>
  joined(...parts).replaceAll(/\s*\n+/g, "<br>");

const disjunction = new Intl.ListFormat("en-GB", { type: "disjunction" });
const conjunction = new Intl.ListFormat("en-GB", { type: "conjunction" });
/** "a, b and c". */
export const all = (items: string[]): string => conjunction.format(items);

/** "a, b or c". */
export const either = (items: string[]): string => disjunction.format(items);

export const capitalized = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
