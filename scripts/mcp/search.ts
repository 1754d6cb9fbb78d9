import { brief } from "../../contract/text.ts";
import { type SearchEntry, searchEntries } from "../docs/search/entries.ts";
import { synonyms } from "../docs/search/keywords.ts";
import type { OpenApiDocument } from "../document/types.ts";

/** What a search can find, by the id that shows it. */
export type Entry = Pick<SearchEntry, "id" | "title" | "text">;

/** A page from a heading of the second level to the next; before the first, its start. */
function sectionsOf(path: string, page: string): Entry[] {
  const [start = "", ...others] = page.split(/\n(?=## )/);
  const titleOf = (text: string): string => /^#+ (.*)/.exec(text)?.[1] ?? "";
  const sections = others.map((text) => {
    const heading = titleOf(text);
    return { id: `${path}#${heading}`, title: `${titleOf(start)}: ${heading}`, text };
  });
  return [{ id: path, title: titleOf(start), text: start }, ...sections];
}

/** Pages whose rows are entries of their own. */
const tables = ["requirements", "errors", "limits", "unspecified"];

/** The rows of tables, and the sections of pages with the words of other APIs for them. */
export const entriesOf = (document: OpenApiDocument, pages: ReadonlyMap<string, string>): Entry[] => [
  ...searchEntries(document, [...pages.keys()]),
  ...[...pages]
    .filter(([path]) => !tables.includes(path))
    .flatMap(([path, page]) => sectionsOf(path, page))
    .map((one) => ({ ...one, title: [one.title, ...(synonyms[one.id] ?? [])].join(", ") })),
];

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/**
 * The entries that have words of a query, the best first: with more of the words, an entry is rather about what is meant. A word counts more in
 * a title, in a short text, and if it is rare.
 */
export function search(entries: readonly Entry[], query: string): Entry[] {
  const texts = entries.map((entry) => {
    const [title, text] = [wordsOf(`${entry.id} ${entry.title}`), wordsOf(entry.text)];
    return { entry, title, text, words: 0, sum: 0 };
  });
  for (const word of new Set(wordsOf(query))) {
    const found = texts.filter(({ title, text }) => title.includes(word) || text.includes(word));
    const rarity = Math.log(1 + texts.length / (1 + 5 * found.length));
    for (const one of found) {
      const inText = (one.text.includes(word) ? 2 : 0) / (1 + one.text.length / 100);
      one.sum += rarity * ((one.title.includes(word) ? 2 : 0) + inText);
      one.words += 1;
    }
  }
  const found = texts.filter(({ words }) => words > 0);
  return found.sort((one, other) => other.words * other.sum - one.words * one.sum).map(({ entry }) => entry);
}

/** The ids that share most pairs of characters with a text. */
export function similar(ids: readonly string[], text: string): string[] {
  const pairsOf = (one: string): string[] =>
    [...one.toLowerCase().matchAll(/(?=(..))/gs)].map(([, pair = ""]) => pair);
  const wanted = pairsOf(text);
  const shareOf = (id: string): number => {
    const own = pairsOf(id);
    return (2 * own.filter((pair) => wanted.includes(pair)).length) / (own.length + wanted.length);
  };
  const close = [...new Set(ids)].filter((id) => shareOf(id) > 0.6);
  return close.sort((one, other) => shareOf(other) - shareOf(one)).slice(0, 3);
}

/** A result in a line, with the text from the first line that has a word of the query. */
export function resultLine({ id, title, text }: Entry, query: string): string {
  const wanted = wordsOf(query);
  const lines = text.split("\n").filter((line) => !line.startsWith("#"));
  const first = lines.findIndex((line) => wordsOf(line).some((word) => wanted.includes(word)));
  return `- ${id}: ${title.split(", ")[0]}. ${brief(lines.slice(Math.max(0, first)).join(" "), 160)}`;
}
