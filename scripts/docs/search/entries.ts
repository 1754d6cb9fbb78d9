import { copyFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { escapeHtml } from "../../../lib/html.ts";
import { limitOf } from "../../document/limits.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import {
  errorPath,
  inWords,
  kebab,
  type Page,
  pagesOf,
  requirementPath,
  type SiteVersion,
  unspecifiedPath,
} from "../page.ts";
import { formatNumber } from "../schema/constraints.ts";
import { plainText } from "../written-pages.ts";
import { synonyms } from "./keywords.ts";

/** A row of a table, or a section, that a search can name. `docs/site/search/pagefind.js` decides when it is found. */
interface SearchEntry {
  /** Its id in the document; a search for it finds the row. */
  id: string;
  title: string;
  /** Relative to the site. */
  path: string;
  /** HTML. */
  text: string;
  /** A limit is also found by its number and its words, and with it its error. */
  value?: number;
  words?: string[];
  error?: string;
  /** A search for one finds the row: a requirement below the best page, any other before it. */
  phrases?: readonly string[] | undefined;
}

/** Every requirement, limit, error and unspecified point, and the sections with synonyms. */
function searchEntries(document: OpenApiDocument, pages: readonly Page[]): SearchEntry[] {
  const paths = pages.map(({ path }) => path);
  const rows = [
    ...Object.values(document["x-requirements"])
      .flat()
      .map(({ id, text }) => entry(id, `Requirement ${id}`, requirementPath(id), text)),
    ...document["x-unspecified"].map(({ id, text }) =>
      entry(id, `Unspecified: ${id}`, unspecifiedPath(id), text),
    ),
    ...document["x-errors"].map((row) =>
      entry(row.id, `Error ${[row.status, row.type ?? []].flat().join(" ")}`, errorPath(row), row.when),
    ),
    ...limitEntries(document),
  ].filter(({ path }) => paths.includes(path.slice(0, path.indexOf("/#"))));
  const phrases = new Map(
    Object.entries(synonyms).map(([place, words]) => [place.replace("#", "/#"), words]),
  );
  const sections = pages.flatMap(sectionEntries).filter(({ path }) => phrases.has(path));
  const all = new Map([...sections, ...rows].map((one) => [one.path, one]));
  return [...all.values()].map((one) => ({ ...one, phrases: phrases.get(one.path) }));
}

/** The sections of a page, with the anchors that the Markdown renderer derives from their headings. */
const sectionEntries = ({ path, title, text, description }: Page): SearchEntry[] =>
  Array.from(text.matchAll(/^##+ (.+)$/gm), ([, heading = ""]) => {
    const name = plainText(heading);
    const anchor = name
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-");
    return entry(`${path}#${anchor}`, `${title}: ${name}`, `${path}#${anchor}`, description);
  });

const limitEntries = (document: OpenApiDocument): SearchEntry[] =>
  Object.entries(document["x-limits"]).map(([name, row]) => {
    const value = limitOf(document, name, row);
    const words = inWords(name);
    const unit = words.toLowerCase() === row.unit ? "" : ` ${row.unit}`;
    const title = `${words}: ${formatNumber(value)}${unit}`;
    return {
      ...entry(name, title, `limits#${name}`, row.description),
      value,
      words: `${kebab(name)} ${row.unit}`.toLowerCase().split(/[- ]/),
      ...(row.error !== undefined && { error: row.error }),
    };
  });

const entry = (id: string, title: string, path: string, text: string): SearchEntry => ({
  id,
  title,
  path: path.replace("#", "/#"),
  text: escapeHtml(text.replaceAll("`", "")),
});

/**
 * Puts the search of `docs/site/search` in front of that of Pagefind, which the page loads by its name.
 * @param stage the folder that Astro has built in
 */
export async function replaceSearch({ document, site }: SiteVersion, stage: string): Promise<void> {
  const built = join(stage, "built/pagefind");
  // Pagefind derives the folder of its files from a URL that has its name with any character in place of the dot.
  await rename(join(built, "pagefind.js"), join(built, "pagefind-js.js"));
  await copyFile(join(stage, "search/pagefind.js"), join(built, "pagefind.js"));
  await writeFile(join(built, "entries.json"), JSON.stringify(searchEntries(document, pagesOf(site))));
}
