/** HTML that is safe to send: everything that was put into it is escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may be put into a template: texts are escaped, nothing stands for nothing. */
export type Insert = Html | string | number | null | undefined | false | Insert[];

const replacements: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (letter) => replacements[letter] ?? letter);

/** A template: html`<p>${text}</p>`. Attributes are written in quotes. */
export function html(parts: TemplateStringsArray, ...inserts: Insert[]): Html {
  let text = parts[0] ?? "";
  for (const [index, insert] of inserts.entries()) text += insertText(insert) + (parts[index + 1] ?? "");
  return new Html(text);
}

function insertText(insert: Insert): string {
  if (insert instanceof Html) return insert.text;
  if (Array.isArray(insert)) return insert.map(insertText).join("");
  if (insert === null || insert === undefined || insert === false) return "";
  return escaped(String(insert));
}
