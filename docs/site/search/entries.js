// The rows of tables that a search names, which Pagefind does not find one by one: a requirement by its id, a limit by its name, by its
// number with a word ("51 recipients"), or in words ("too many recipients").

const limitWords = new Set(["limit", "limits", "maximum", "max", "many", "most"]);
const otherWords = new Set([
  "a",
  "an",
  "the",
  "of",
  "in",
  "on",
  "for",
  "per",
  "how",
  "too",
  "number",
  "error",
]);
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
export async function namedEntries(text) {
  const all = await entries();
  const id = text.trim().toLowerCase();
  const named = all.filter((entry) => entry.id.toLowerCase() === id);
  const found = named.length > 0 ? named : limitsOf(all, id);
  return found.slice(0, mostEntries).map(resultOf);
}

/** The entries that another phrase than their own text leads to, as results of Pagefind. */
export async function entriesOfPhrase(text) {
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

export const isNumber = (term) => /^\d+$/.test(term);

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
