// The search of the page, instead of that of Pagefind. For a term that no word begins with, Pagefind takes the longest word that the term
// begins with, which can be a single letter: it finds "x" for "xyzzyq". Such a term is unknown here.
import { entriesOfPhrase, isNumber, namedEntries } from "./entries.js";
import * as pagefind from "./pagefind-js.js";

export * from "./pagefind-js.js";

/** The rows that the text names, then pages; a row with another phrase comes after the best page. */
export async function search(text, options) {
  const [named, other, found] = await Promise.all([
    namedEntries(text ?? ""),
    entriesOfPhrase(text ?? ""),
    searchPages(text, options),
  ]);
  const [best, ...rest] = await withTitleFirst(found.results, text ?? "");
  return { ...found, results: [...named, ...(best === undefined ? [] : [best]), ...other, ...rest] };
}

/** One word that is the title of a page finds it first: Limits, not the page that has the word most often. */
async function withTitleFirst(results, text) {
  const wanted = text.trim().toLowerCase();
  if (/\s/.test(wanted)) return results;
  // As many as the dialog shows at once, and loads in any case.
  const shown = results.slice(0, 5);
  const titles = await Promise.all(shown.map(async (result) => (await result.data()).meta.title));
  const index = titles.findIndex((title) => [wanted, `${wanted}s`].includes(title?.toLowerCase()));
  return index < 1 ? results : [results[index], ...results.toSpliced(index, 1)];
}

/** Ignores unknown terms; finds nothing if there are no others. */
async function searchPages(text, options) {
  const all = (text ?? "").split(/\s+/).filter((term) => term !== "");
  // A number is found at the beginning of a longer one: 50 in 500. Beside a word, only the status of an error counts.
  const words = all.filter((term) => !isNumber(term) || /^([45]\d\d|\d{4,})$/.test(term));
  const terms = words.length === 0 ? all : words;
  if (terms.length === 0 || terms.some((term) => term.includes('"'))) return pagefind.search(text, options);
  const rest = [];
  for (const term of terms) if (await isKnown(term)) rest.push(term);
  // In quotes, only the word itself is found.
  return pagefind.search(rest.length === 0 ? `"${terms[0]}"` : rest.join(" "), options);
}

const known = new Map();

function isKnown(term) {
  // A page that cannot be loaded says nothing of the term.
  if (!known.has(term))
    known.set(
      term,
      compare(term).catch(() => true),
    );
  return known.get(term);
}

/** Whether what is found for a term shares its first letters. The last one may differ: "tries" is found for "try". */
async function compare(term) {
  const letters = term.toLowerCase().replaceAll(/[^\p{L}\p{N}_]/gu, "");
  const start = letters.slice(0, Math.max(1, Math.min(3, letters.length - 1)));
  const [first] = (await pagefind.search(term)).results;
  if (first === undefined) return false;
  const { excerpt, meta } = await first.data();
  const words = [...excerpt.matchAll(/<mark>(.*?)<\/mark>/gs)].map(([, word]) => word);
  const fields = (first.matchedMetaFields ?? []).map((name) => meta[name]);
  return [...words, ...fields].some((one) =>
    one
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\s]/gu, "")
      .includes(start),
  );
}
