/**
 * A sentence with the word "unspecified", outside code: at the start of a line, an entry or a cell, or after another sentence. It ends
 * with the first full stop before a space, a tag or the end of the line. That all fields of an object are unspecified is no detail.
 */
const sentence =
  /(?<=^\s*(?:- |> )?|[.:] |\| |<br>)(?!The fields are )[A-Z](?:(?!\. |\||<br>).)*?(?<!:)\bunspecified\b(?!#)(?:(?!\. |\||<br>).)*?\.(?= |$|<)/gm;

/** Marks the sentences on what is unspecified, for the switch that shows the ids of such points. @param text the Markdown of a page */
export const markUnspecified = (text: string): string =>
  text
    .split(/(^ *```[\s\S]*?^ *```$)/m)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(sentence, mark)))
    .join("");

/** Without the sentence, a paragraph that has no other is empty: it must not take room. */
function mark(found: string, offset: number, text: string): string {
  const before = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  const isWhole = before.trim() === "" && /^\s*(?:\n|$)/.test(text.slice(offset + found.length));
  return `<span class="unspecified-note${isWhole ? " whole" : ""}">${found}</span>`;
}
