import { visible } from "../reading.ts";

/** HTML that is safe to show: everything that was put into it is escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may be put into a template: texts are escaped, nothing stands for nothing. */
export type Insert = Markup | string | number | null | undefined | false | readonly Insert[];

const replacements: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A template: html`<p>${text}</p>`. Attributes are written in quotes. What a reader would not see stands as its code. */
export function html(parts: TemplateStringsArray, ...inserts: Insert[]): Markup {
  let text = parts[0] ?? "";
  for (const [index, insert] of inserts.entries()) text += textOf(insert) + (parts[index + 1] ?? "");
  return new Markup(text);
}

function textOf(insert: Insert): string {
  if (insert instanceof Markup) return insert.text;
  if (insert === null || insert === undefined || insert === false) return "";
  if (typeof insert === "object") return insert.map(textOf).join("");
  return visible(String(insert)).replaceAll(/[&<>"']/g, (letter) => replacements[letter] ?? letter);
}
