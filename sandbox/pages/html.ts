import { escapeHtml } from "../../lib/escape-html.ts";

/** Markup in which every inserted text is escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template can contain. Texts are escaped; null, undefined and false become nothing. */
export type Insert = Html | string | number | null | undefined | false | Insert[];

/** A template: html`<p>${text}</p>`. Attributes must be quoted. */
export const html = (strings: TemplateStringsArray, ...inserts: Insert[]): Html =>
  new Html(String.raw({ raw: strings }, ...inserts.map(textOf)));

function textOf(insert: Insert): string {
  if (insert instanceof Html) return insert.text;
  if (Array.isArray(insert)) return insert.map(textOf).join("");
  if (insert === null || insert === undefined || insert === false) return "";
  return escapeHtml(String(insert));
}
