import { copyFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { escapeHtml } from "../../../lib/html.ts";
import { limitOf } from "../../document/limits.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import { errorPath, inWords, pagesOf, requirementPath, type SiteVersion, unspecifiedPath } from "../page.ts";
import { amount } from "../schema/constraints.ts";
import { synonyms, words } from "./keywords.ts";

/** A row of a table that a search can name. `docs/site/search/pagefind.js` decides when it is found. */
export interface SearchEntry {
  /** Its id in the document; a search for it finds the row. */
  id: string;
  title: string;
  /** Relative to the site. */
  path: string;
  text: string;
  /** A limit is also found by its number and the words of its title, and with it its error. */
  value?: number | undefined;
  error?: string | undefined;
}

/** Every requirement, limit, error and unspecified point. @param paths those of the pages of the site */
export function searchEntries(document: OpenApiDocument, paths: readonly string[]): SearchEntry[] {
  const requirements = Object.values(document["x-requirements"]).flat();
  // A site without the page of requirements shows no ids.
  const points = paths.includes("requirements") ? document["x-unspecified"] : [];
  return [
    ...requirements.map(({ id, text }) => entry(id, `Requirement ${id}`, requirementPath(id), text)),
    ...points.map(({ id, text }) => entry(id, `Unspecified: ${id}`, unspecifiedPath(id), text)),
    ...document["x-errors"].map((row) =>
      entry(row.id, `Error ${[row.status, row.type ?? []].flat().join(" ")}`, errorPath(row), row.when),
    ),
    ...limitEntries(document),
  ].filter(({ path }) => paths.includes(path.slice(0, path.indexOf("/"))));
}

const limitEntries = (document: OpenApiDocument): SearchEntry[] =>
  Object.entries(document["x-limits"]).map(([name, row]) => {
    const value = limitOf(document, name, row);
    const words = inWords(name);
    const unit = words.toLowerCase() === row.unit ? "" : row.unit;
    return {
      ...entry(name, `${words}: ${amount(value, unit)}`, `limits#${name}`, row.description),
      value,
      error: row.error,
    };
  });

const entry = (id: string, title: string, path: string, text: string): SearchEntry => ({
  id,
  title,
  path: path.replace("#", "/#"),
  text: text.replaceAll("`", ""),
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
  const paths = pagesOf(site).map(({ path }) => path);
  const places = Object.entries(synonyms).filter(([place]) => paths.includes(place.replace(/#.+/, "")));
  const entries = searchEntries(document, paths).map((one) => ({ ...one, text: escapeHtml(one.text) }));
  const data = { entries, places: Object.fromEntries(places), words };
  await writeFile(join(built, "entries.json"), JSON.stringify(data));
}
