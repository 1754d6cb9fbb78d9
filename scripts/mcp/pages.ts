import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isPackaged, root } from "../common/paths.ts";
import { readBundle } from "../document/read-bundle.ts";

/** Composed when the package is built: it lacks the packages that only the site needs. */
export const pagesFile = join(root, "dist/reference.json");

/** The pages of the reference site as Markdown, by their paths. */
export async function composePages(): Promise<Record<string, string>> {
  const { composeSite } = await import("../docs/site.ts");
  const { textFiles, withoutTargets } = await import("../docs/text-files.ts");
  const { siteConfig } = await import("../docs/config/site-config.ts");
  const [document, config] = [await readBundle(), siteConfig()];
  const files = await textFiles({ document, site: await composeSite(document), config });
  const pages = [...files].filter(([name]) => name.endsWith(".md") && !name.startsWith("skills/"));
  return Object.fromEntries(
    pages.map(([name, text]) => [name.replace(/\.md$/, ""), withoutTargets(text, config.base)]),
  );
}

export async function readPages(): Promise<Map<string, string>> {
  const pages = isPackaged ? JSON.parse(await readFile(pagesFile, "utf8")) : await composePages();
  return new Map(Object.entries(pages));
}
