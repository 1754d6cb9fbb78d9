// The search of the page, instead of that of Pagefind. For a term that no word begins with, Pagefind takes the longest word that the term
// begins with, which can be a single letter: it finds "x" for "xyzzyq". Such a term is unknown here.
import * as pagefind from "./pagefind-js.js";

export * from "./pagefind-js.js";

/** What the text names, then pages, the best one after its section of that name; a requirement comes after it. */
export async function search(given, options) {
  const data = await load();
  const text = inOurWords(data, given ?? "");
  const found = await searchPages(text, options);
  const [best, ...rest] = found.results;
  const isTitle = (await best?.data())?.meta.title.toLowerCase() === text.trim().toLowerCase();
  const named = await namedEntries(data, text);
  // The page with the text as its title comes before what the text names elsewhere.
  const { before, after } = isTitle ? { before: [], after: named.before } : named;
  const urls = new Set(before.map(({ id }) => id));
  if (best === undefined) return { ...found, results: [...before, ...after] };
  const first = before.length > 0 ? [withoutSections(best, urls)] : await withSection(best, text);
  return { ...found, results: [...before, ...first, ...after, ...rest] };
}

/** Pagefind would show a choice of areas. They only order results. */
export const filters = async () => ({});

/** Each word that readers say and few pages or none have, as the word of the pages: "go" for "golang". */
const inOurWords = ({ words }, text) =>
  text.replaceAll(/[\p{L}.-]+/gu, (word) => words[word.toLowerCase()] ?? word);

/** A page without the sections that are results of their own. */
const withoutSections = (page, urls) => ({
  ...page,
  data: async () => {
    const data = await page.data();
    return { ...data, sub_results: data.sub_results.filter(({ url }) => !urls.has(url)) };
  },
});

/** A page after its section with all words of the text in its heading; for a single word, the one that begins with it. */
async function withSection(page, text) {
  const words = wordsOf(text);
  const { meta, sub_results: sections } = await page.data();
  const hasAll = (own) => words.every((word) => own.some((one) => isForm(word, one)));
  // The text names the page itself, or nothing.
  if (hasAll(wordsOf(meta.title))) return [page];
  const headingOf = ({ title }) => wordsOf(title).slice(0, words.length === 1 ? 1 : undefined);
  const section = sections.find((one) => one.url.includes("#") && hasAll(headingOf(one)));
  if (section === undefined) return [page];
  return [
    partResult({ ...section, title: `${meta.title}: ${section.title}` }),
    withoutSections(page, new Set([section.url])),
  ];
}

/** The title of a page finds it first: Limits, not the page that has the word most often. */
async function withTitleFirst(readers, builders, text) {
  const wanted = text.trim().toLowerCase();
  // As many of each as the dialog shows at once.
  const shown = [readers, builders].flatMap((results) => results.slice(0, mostEntries));
  const titles = await Promise.all(shown.map(async (result) => (await result.data()).meta.title));
  const named = shown.find((_, index) => [wanted, `${wanted}s`].includes(titles[index]?.toLowerCase()));
  const rest = [...readers, ...builders].filter((one) => one !== named);
  return named === undefined ? rest : [named, ...rest];
}

/** Ignores unknown terms; finds nothing if there are no others. */
async function searchPages(text, options) {
  const all = text.split(/\s+/).filter((term) => term !== "");
  // A number is found at the beginning of a longer one: 50 in 500. Beside a word, only the status of an error counts.
  const counts = (term) => !isNumber(term) || /^([45]\d\d|\d{4,})$/.test(term);
  const words = all.filter((term) => counts(term) && !smallWords.has(term.toLowerCase()));
  const terms = words.length === 0 ? all : words;
  if (terms.length === 0 || terms.some((term) => term.includes('"'))) return pagefind.search(text, options);
  const rest = [];
  for (const term of terms) if (await isKnown(term)) rest.push(term);
  // In quotes, only the word itself is found.
  if (rest.length === 0) return pagefind.search(`"${terms[0]}"`, options);
  const [found, builders] = await Promise.all(
    ["readers", "builders"].map((area) => pagefind.search(rest.join(" "), { ...options, filters: { area } })),
  );
  const partial = found.results.length < enough ? await pagesWithSome(rest, found.results) : [];
  const readers = [...found.results, ...partial];
  return { ...found, filters: {}, results: await withTitleFirst(readers, builders.results, text) };
}

/** With fewer pages that have all words, pages for readers follow that have some of them. */
const enough = 3;

/** The best other pages for some of the terms. A term counts the more, the fewer pages have it. */
async function pagesWithSome(terms, found) {
  const pages = new Map();
  for (const term of terms) {
    const { results } = await pagefind.search(term, { filters: { area: "readers" } });
    const weight = Math.log(1 + 100 / Math.max(1, results.length));
    for (const { id, score } of results) {
      const page = pages.get(id) ?? { id, score: 0, own: [] };
      page.score += weight * Math.sqrt(score / results[0].score);
      page.own.push(term);
      pages.set(id, page);
    }
  }
  for (const { id } of found) pages.delete(id);
  const best = [...pages.values()].sort((one, other) => other.score - one.score);
  return Promise.all(
    best.slice(0, enough - found.length).map(async ({ id, own }) => {
      const { results } = await pagefind.search(own.join(" "), { filters: { area: "readers" } });
      return results.find((one) => one.id === id);
    }),
  );
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
  const start = letters.slice(0, Math.max(1, Math.min(letters.length > 6 ? 4 : 3, letters.length - 1)));
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
const smallWords = new Set([
  ..."a an the of in on for per to and or not it its this that with at by".split(" "),
  ..."how what when why where is are was be do does did can should would mean means i my me you next".split(
    " ",
  ),
  // A guide is found by its language.
  ..."sdk library".split(" "),
]);
const otherWords = new Set([...smallWords, "too", "number", "error"]);
/** The words of limits for what is "too long" or "too large". */
const sizes = { long: "length", large: "size", big: "size" };
/** As many as the dialog shows at once. */
const mostEntries = 5;

let loaded;
const load = () => {
  loaded ??= fetch(new URL("entries.json", import.meta.url))
    .then((response) => response.json())
    .catch(() => ({ entries: [], places: {}, words: {} }));
  return loaded;
};

/** A row, or a section of a page with its heading. */
async function entryOf(all, place) {
  const path = place.replace("#", "/#");
  const row = all.find((one) => one.path === path);
  if (row !== undefined) return [row];
  const [page, anchor] = path.split("#");
  const response = await fetch(new URL(`../${page}`, import.meta.url)).catch(() => undefined);
  if (!response?.ok) return [];
  const parsed = new DOMParser().parseFromString(await response.text(), "text/html");
  const heading = parsed.getElementById(anchor)?.textContent ?? "";
  const text = parsed.querySelector("meta[name=description]")?.content ?? "";
  return [
    {
      title: `${parsed.querySelector("h1")?.textContent.trim()}: ${heading.trim()}`,
      path,
      text: text.replaceAll("&", "&amp;").replaceAll("<", "&lt;"),
    },
  ];
}

/** The entries that the text names, as results of Pagefind: a requirement that another phrase than its text leads to comes after the best page. */
async function namedEntries({ entries: all, places }, text) {
  const id = text.trim().toLowerCase();
  const meant = placesOf(places, wordsOf(id), (phrase, words) => phrase.length === words.length);
  const found = (await Promise.all(meant.map((place) => entryOf(all, place)))).flat();
  const { after = [], before = [] } = Object.groupBy(found, ({ path }) =>
    path.startsWith("requirements/") ? "after" : "before",
  );
  const kinds = [
    all.filter((entry) => entry.id.toLowerCase() === id),
    before,
    errorsOf(all, id),
    limitsOf(all, id),
  ];
  const named = kinds.find(({ length }) => length > 0) ?? (await entriesWithin(all, places, id));
  return { before: named.slice(0, mostEntries).map(resultOf), after: after.map(resultOf) };
}

/** The places of the longest phrases within a text: "resubscribe a contact" in "can I resubscribe a contact in Go". */
async function entriesWithin(all, places, text) {
  // An identifier has words that do not stand for themselves.
  if (text.includes("_")) return [];
  const meant = placesOf(places, wordsOf(text), () => true).filter(
    (place) => !place.startsWith("requirements"),
  );
  return (await Promise.all(meant.slice(0, 2).map((place) => entryOf(all, place)))).flat();
}

/** The places with a phrase whose words are all in a text, those of the longest phrase first. */
function placesOf(places, words, fits) {
  const lengthIn = ([place, phrases]) =>
    Math.max(
      ...phrases
        .map(wordsOf)
        .filter((phrase) => place.includes("#") && fits(phrase, words))
        .filter((phrase) => phrase.every((one) => words.some((own) => own === one || isPlural(own, one))))
        .map(({ length }) => length),
    );
  return Object.entries(places)
    .map((entry) => ({ place: entry[0], length: lengthIn(entry) }))
    .filter(({ length }) => length > 0)
    .sort((one, other) => other.length - one.length)
    .map(({ place }) => place);
}

/** What a text says, in lower case: "429 rate_limited" has three words. */
const wordsOf = (text) =>
  (text.toLowerCase().match(/[\p{L}\p{N}#.]+/gu) ?? []).filter((word) => !smallWords.has(word));

/** Errors of a status, a type or both. */
function errorsOf(all, text) {
  const words = wordsOf(text).filter((word) => !/^(errors?|http|status)$/.test(word));
  return all.filter(({ id, path }) => {
    const [status, ...type] = path.startsWith("errors/") ? wordsOf(id.replaceAll(".", " ")) : [];
    const isStatus = words.includes(status) && words.every((word) => word === status || type.includes(word));
    return isStatus || (type.length > 0 && type.join(" ") === words.join(" "));
  });
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
    ({ title, value }) =>
      value !== undefined &&
      words.every((word) => wordsOf(title).some((one) => isForm(word, one))) &&
      numbers.every((number) => number === value || number === value + 1),
  );
  const ids = new Set(limits.map(({ error }) => error));
  const errors = all.filter((entry) => ids.has(entry.id));
  return isTooMuch ? [...errors, ...limits] : [...limits, ...errors];
}

const isNumber = (term) => /^\d+$/.test(term);

const isPlural = (one, other) => `${one}s` === other || one === `${other}s`;

/** Whether one is the other with an ending: "recipient" and "recipients". */
const isForm = (one, other) =>
  Math.min(one.length, other.length) > 2 && (one.startsWith(other) || other.startsWith(one));

const resultOf = ({ title, path, text }) => {
  const { pathname, hash } = new URL(`../${path}`, import.meta.url);
  return partResult({ title, url: pathname + hash, excerpt: text });
};

/** A part of a page as a result of its own. */
function partResult({ title, url, excerpt }) {
  const part = { title, url, excerpt };
  // The dialog shows the excerpt of a page if its first part is the page itself.
  const data = { ...part, meta: { title }, content: excerpt, sub_results: [part] };
  return { id: url, score: 1, words: [], data: async () => data };
}
