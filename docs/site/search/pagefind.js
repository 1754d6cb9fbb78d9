// The search of the page, instead of that of Pagefind. For a term that no word begins with, Pagefind takes the longest word that the term
// begins with, which can be a single letter: it finds "x" for "xyzzyq". Such a term is unknown here.
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
  const counts = (term) => !isNumber(term) || /^([45]\d\d|\d{4,})$/.test(term);
  const words = all.filter((term) => counts(term) && !smallWords.has(term.toLowerCase()));
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

// The rows of tables that a search names, which Pagefind does not find one by one: a requirement by its id, a limit by its name, by its
// number with a word ("51 recipients"), or in words ("too many recipients").

const limitWords = new Set(["limit", "limits", "maximum", "max", "many", "most"]);
/** What a question has around its words. The page that a reader looks for may lack them. */
const smallWords = new Set("a an the of in on for per how to is do i my can".split(" "));
const otherWords = new Set([...smallWords, "too", "number", "error"]);
/** The words of limits for what is "too long" or "too large". */
const sizes = { long: "length", large: "size", big: "size" };
const mostEntries = 4;

let loaded;
const entries = () => {
  loaded ??= fetch(new URL("entries.json", import.meta.url))
    .then((response) => response.json())
    .catch(() => []);
  return loaded;
};

/** The entries that the text names, as results of Pagefind. */
async function namedEntries(text) {
  const all = await entries();
  const id = text.trim().toLowerCase();
  const named = all.filter((entry) => entry.id.toLowerCase() === id);
  const found = named.length > 0 ? named : limitsOf(all, id);
  return found.slice(0, mostEntries).map(resultOf);
}

/** The entries that another phrase than their own text leads to, as results of Pagefind. */
async function entriesOfPhrase(text) {
  const phrase = text.trim().toLowerCase();
  return (await entries()).filter(({ phrases = [] }) => phrases.includes(phrase)).map(resultOf);
}

/** Limits with their errors. Who asks for too many wants to know the error first. */
function limitsOf(all, text) {
  const isTooMuch = /\btoo (many|long|large|big)\b/.test(text);
  const terms = (text.match(/[\p{L}\p{N}_]+/gu) ?? []).map((term) => (isTooMuch && sizes[term]) || term);
  const numbers = terms.filter(isNumber).map(Number);
  const words = terms.filter((term) => !(isNumber(term) || limitWords.has(term) || otherWords.has(term)));
  const isLimit = isTooMuch || terms.some((term) => limitWords.has(term));
  if (words.length === 0 || (numbers.length === 0 && !isLimit)) return [];
  const limits = all.filter(
    ({ words: own, value }) =>
      own !== undefined &&
      words.every((word) => own.some((one) => isForm(word, one))) &&
      numbers.every((number) => number === value || number === value + 1),
  );
  const ids = new Set(limits.map(({ error }) => error));
  const errors = all.filter((entry) => ids.has(entry.id));
  return isTooMuch ? [...errors, ...limits] : [...limits, ...errors];
}

const isNumber = (term) => /^\d+$/.test(term);

/** Whether one is the other with an ending: "recipient" and "recipients". */
const isForm = (one, other) =>
  Math.min(one.length, other.length) > 2 && (one.startsWith(other) || other.startsWith(one));

function resultOf({ id, title, path, text }) {
  const { pathname, hash } = new URL(`../${path}`, import.meta.url);
  const part = { title, url: pathname + hash, excerpt: text };
  // The dialog shows the excerpt of a page if its first part is the page itself.
  const data = { ...part, meta: { title }, content: text, sub_results: [part] };
  return { id, score: 1, words: [], data: async () => data };
}
