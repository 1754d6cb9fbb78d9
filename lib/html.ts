import { visible } from "./text.ts";

/** Escapes text for HTML, between tags and within quoted attributes. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");

/** Escapes text for XML, which cannot express most control characters: they become codes. */
export const escapeXml = (text: string): string =>
  escapeHtml(visible(text).replaceAll(/[\uFFFE\uFFFF]/g, "\uFFFD"));

/** Markup in which every inserted text is escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template can contain. Texts are escaped; null, undefined and false become nothing. */
export type Insert = Html | string | number | null | undefined | false | readonly Insert[];

/** A template with its own way to escape a text: html`<p>${text}</p>`. Attributes must be quoted. */
export function templateWith(escaped: (text: string) => string) {
  const textOf = (insert: Insert): string => {
    if (insert instanceof Html) return insert.text;
    if (insert === null || insert === undefined || insert === false) return "";
    return typeof insert === "object" ? insert.map(textOf).join("") : escaped(String(insert));
  };
  return (strings: TemplateStringsArray, ...inserts: Insert[]): Html =>
    new Html(String.raw({ raw: strings }, ...inserts.map(textOf)));
}

export const html = templateWith(escapeHtml);
