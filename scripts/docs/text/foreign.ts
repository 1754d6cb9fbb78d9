import { isObject } from "../../../lib/objects.ts";
import { usageError } from "../../../lib/user-error.ts";
import { outsideCode } from "./markdown.ts";

/** Code to every reader of Markdown, if no other backtick or tilde is there: in no list, cell or URL whose end would be its end. */
const code = /(?<![^\n])```\w*\n[^`~]*\n```(?![^\n])|(?<![\\`]|(?:\/\/|[Ww]{3}\.)[^\s`]*)`[^`|\r\n]+`(?!`)/g;

/** Destinations that run nothing; without entities, which could hide another scheme. */
const harmless = /^<?(https?:\/\/|mailto:|site:|[#/.]|[^:&\\]*$)/i;

const checked = (found: string, before: string, destination: string): string =>
  harmless.test(destination) ? found : `${before}#`;

/** A text in Markdown without raw HTML, and without links that run something. Code is left as it is unless there is doubt about it. */
export function withoutMarkup(text: string): string {
  const cleaned = /`|~~~/.test(text.replaceAll(code, "")) ? changed(text) : outsideCode(text, changed, code);
  // What is left may mean something else without what stood between.
  return cleaned === text ? text : withoutMarkup(cleaned);
}

const changed = (text: string): string =>
  text
    .replaceAll(/<[a-z/!?][^<>]*>/gi, (tag) => (/^<(https?:\/\/|mailto:)/.test(tag) ? tag : ""))
    // What is left is none, or would become one.
    .replaceAll(/<(?!(https?:\/\/|mailto:)[^<>\s]*>)/g, "&lt;")
    // In a quotation, a destination may stand after the `>` of the next line.
    .replaceAll(/(\][(:][\s>]*)([^\s)\]]+)/g, checked);

/** What is data and not a text. */
const data = /^(const|default|enum|examples?|pattern|url|\$ref)$/;

/**
 * Removes markup from all texts of a document that others have changed: pages have their own.
 * @throws UserError with exit code 2 for a name that would be markup
 */
export function removeMarkup(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const name = [key, ...(key === "name" ? [inner] : [])].find((one) => /[<>"]/.test(String(one)));
    if (name !== undefined)
      throw usageError(`the overlay has the name ${JSON.stringify(name)}`, 'Remove <, > and " from it.');
    if (data.test(key) && !isSchemas(key, value)) continue;
    // These are no Markdown everywhere.
    const isPlain = key === "summary" || key === "title";
    if (typeof inner !== "string") removeMarkup(inner);
    else
      Object.assign(value, {
        [key]: withoutMarkup(isPlain ? inner.replaceAll(/<[^<>]*>|[<>]/g, "") : inner),
      });
  }
}

/** Whether a key is the name of a property, such as one that is called `default`. */
const isSchemas = (key: string, parent: object): boolean =>
  isObject(parent) && Object.values(parent).every(isObject) && key !== "examples" && key !== "example";
