import { copyFile, rename } from "node:fs/promises";
import { join } from "node:path";

/**
 * Puts the search of `docs/site/search` in front of that of Pagefind, which the page loads by its name.
 *
 * @param stage the folder that Astro has built in
 */
export async function replaceSearch(stage: string): Promise<void> {
  const script = join(stage, "built/pagefind/pagefind.js");
  // Pagefind derives the folder of its files from a URL that has its name with any character in place of the dot.
  await rename(script, join(stage, "built/pagefind/pagefind-js.js"));
  await copyFile(join(stage, "search/pagefind.js"), script);
}
