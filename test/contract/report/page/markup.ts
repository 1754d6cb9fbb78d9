import { escapeHtml } from "../../../../lib/escape-html.ts";
import { visible } from "../read-result.ts";

/** Safe HTML: everything inserted into it is escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template accepts: text is escaped; null, undefined and false insert nothing. */
export type Insert = Markup | string | number | null | undefined | false | readonly Insert[];

/** A template: html`<p>${text}</p>`. Attributes need quotes. Invisible characters become codes. */
export function html(parts: TemplateStringsArray, ...inserts: Insert[]): Markup {
  let text = parts[0] ?? "";
  for (const [index, insert] of inserts.entries()) text += textOf(insert) + (parts[index + 1] ?? "");
  return new Markup(text);
}

function textOf(insert: Insert): string {
  if (insert instanceof Markup) return insert.text;
  if (insert === null || insert === undefined || insert === false) return "";
  if (typeof insert === "object") return insert.map(textOf).join("");
  return escapeHtml(visible(String(insert)));
}

/** Text with `code` in backticks. */
export const withCode = (text: string): Markup[] =>
  text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
