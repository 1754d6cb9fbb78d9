import { copyFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OpenApiDocument } from "../../document/types.ts";
import { searchEntries } from "./entries.ts";

/**
 * Puts the search of `docs/site/search` in front of that of Pagefind, which the page loads by its name.
 *
 * @param stage the folder that Astro has built in
 * @param paths those of the pages of the site
 */
export async function replaceSearch(
  document: OpenApiDocument,
  stage: string,
  paths: readonly string[],
): Promise<void> {
  const built = join(stage, "built/pagefind");
  // Pagefind derives the folder of its files from a URL that has its name with any character in place of the dot.
  await rename(join(built, "pagefind.js"), join(built, "pagefind-js.js"));
  await Promise.all([
    ...["pagefind.js", "entries.js"].map((name) => copyFile(join(stage, "search", name), join(built, name))),
    writeFile(join(built, "entries.json"), JSON.stringify(searchEntries(document, paths))),
  ]);
}
