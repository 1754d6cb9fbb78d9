import { escapeHtml } from "../../../lib/html.ts";
import { operationPath } from "../page.ts";

export const siteLink = (text: string, path: string): string => `[${text}](site:${path})`;

export const operationLink = (id: string): string => siteLink(code(id), operationPath(id));

/** Links to operations by their ids. The search skips them, so that it finds the operation's own page first. */
export const operationLinks = (ids: string[]): string =>
  `<span data-pagefind-ignore>${ids.map(operationLink).join(", ")}</span>`;

/** The text of a link that is no Markdown and no HTML. */
export const plainLabel = (text: string): string => escapeHtml(text).replaceAll(/[\\`*_[\]~]/g, "\\$&");

/** A link target outside headings. */
export const anchor = (id: string): string => `<a id="${id}"></a>`;

/** A link target with a link to itself, which is there on hover and focus. @param name Markdown */
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

export const bulletList = (lines: string[]): string => lines.map((line) => `- ${line}`).join("\n");

/** A list entry with paragraphs below its first line. */
export const entry = (first: string, ...below: string[]): string =>
  `- ${joined(first, ...below).replaceAll(/\n(?=.)/g, "\n  ")}`;

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

/** A text with a change of what is not code: by default of all but its code blocks. */
export const outsideCode = (text: string, change: (part: string) => string, code = /^ *```[\s\S]*?^ *```$/) =>
  text
    .split(new RegExp(`(${code.source})`, "m"))
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join("");

const disjunction = new Intl.ListFormat("en-GB", { type: "disjunction" });
const conjunction = new Intl.ListFormat("en-GB", { type: "conjunction" });
/** "a, b and c". */
export const all = (items: string[]): string => conjunction.format(items);

/** "a, b or c". */
export const either = (items: string[]): string => disjunction.format(items);

/** An element around blocks of a page. `plainMarkdown` removes it. */
export const box = (className: string, ...blocks: (string | undefined)[]): string =>
  joined(`<div class="${className}">`, ...blocks, "</div>");

/** A limit or another property of a field, beside its type. */
export const chip = (text: string, kind = ""): string =>
  ` <span class="hidden-text">·</span> <span class="chip${kind === "" ? "" : ` ${kind}`}">${text}</span>`;

/** What the Markdown of a page omits, since it is there in another form or on another page. */
export const siteOnly = (text: string): string =>
  text &&
  joined(
    "<!-- site only -->",
    // Marks in it would end the outer one too early.
    text.replaceAll(/<!-- (?:end of )?site only -->\n*/g, "").replace(/^<\w+/, "$& data-markdown-ignore"),
    "<!-- end of site only -->",
  );

/** What the page shows, and what its Markdown has instead. */
export const eachForm = ({ site, markdown }: { site: string; markdown: string }): string =>
  joined(`<!-- markdown only\n${markdown}\n-->`, siteOnly(site));

/** One panel of tabs. The text starts with a title, which the site hides: the tab has the same words. */
export interface Tab {
  /** HTML. */
  label: string;
  text: string;
  /** Whether the Markdown of the page omits it. */
  isSiteOnly?: boolean;
}

interface TabsOptions {
  /** Unique on the page. */
  name: string;
  /** What the tabs are alternatives of. */
  legend: string;
  className?: string;
  /** The name under which the selected tab is remembered for all pages. */
  choice?: string;
}

/** Tabs that work without scripts: radio buttons, and a panel for each. */
export function tabs({ name, legend, className = "choice", choice }: TabsOptions, parts: Tab[]): string {
  const inputs = parts.map(
    ({ label }, index) =>
      `<input type="radio" name="tabs-${name}" id="tab-${name}-${index}" value="${escapeHtml(label)}"${index === 0 ? " checked" : ""}><label for="tab-${name}-${index}">${label}</label>`,
  );
  const remembered = choice === undefined ? "" : ` data-choice="${choice}"`;
  return joined(
    `<div class="tabs ${className}">\n<fieldset class="tabbar"${remembered} data-markdown-ignore><legend class="hidden-text">${escapeHtml(legend)}</legend>${inputs.join("")}</fieldset>`,
    ...parts.map(({ text, isSiteOnly = false }) =>
      isSiteOnly ? siteOnly(box("tabpanel", text)) : box("tabpanel", text),
    ),
    "</div>",
  );
}

/** A row of a table whose cells have blocks, and what is shown on demand below it. */
export interface BlockRow {
  id?: string;
  cells: string[];
  /** JSON and what belongs to it: of what it is, the text, and whether the Markdown of the page has it. */
  more: { of: string; text: string; inMarkdown?: boolean };
}

/** A table with blocks in its cells; `plainMarkdown` makes paragraphs of them. */
export function blockTable(className: string, caption: string, head: string[], rows: BlockRow[]): string {
  const columns = head.map((text) => `<th scope="col">${text}</th>`).join("");
  return joined(
    `<table class="${className}">\n<caption class="hidden-text" data-markdown-ignore>${caption}</caption>\n<thead data-markdown-ignore><tr>${columns}</tr></thead>`,
    ...rows.map((row) => rowText(row, head)),
    "</table>",
  );
}

function rowText({ id, cells: [first = "", ...others], more }: BlockRow, head: string[]): string {
  const cells = others.map((text) => joined("<td>", text, "</td>"));
  const summary = siteOnly(`<summary>JSON<span class="hidden-text"> ${more.of}</span></summary>`);
  const details = joined('<details class="on-demand">', summary, more.text, "</details>");
  const inner = more.text && `<tr class="more">\n<td colspan="${head.length}">\n${details}\n</td>\n</tr>`;
  const below = more.inMarkdown === true ? inner : siteOnly(inner);
  const body = id === undefined ? "<tbody>" : `<tbody id="${id}">`;
  return joined(`${body}\n<tr>\n<th scope="row">`, first, "</th>", ...cells, "</tr>", below, "</tbody>");
}
