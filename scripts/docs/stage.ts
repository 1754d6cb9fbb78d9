import { cp, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { generatedFolder, root } from "../common/paths.ts";
import type { OpenApiDocument } from "../document/types.ts";
import type { SiteConfig } from "./config.ts";
import { type LinkOptions, markdownFile, withLinks } from "./links.ts";
import type { Page } from "./pages/page.ts";
import { postmanCollection } from "./postman.ts";
import { writeRedocPage } from "./redoc.ts";
import { writeTry } from "./sandbox/write.ts";
import { pagesOf, type Site } from "./site.ts";
import { siteData } from "./site-data.ts";
import { textFiles } from "./text-files.ts";

/**
 * Writes the input of Astro: the files of `docs/site`, every page as Markdown with front matter, and the static files.
 *
 * @param folder an empty folder inside the project, so that packages are found from it
 */
export async function stageSite(
  document: OpenApiDocument,
  site: Site,
  folder: string,
  config: SiteConfig,
): Promise<void> {
  const { base } = config;
  await cp(join(root, "docs/site"), folder, { recursive: true });
  const options: LinkOptions = { pages: pagesOf(site), base, form: "html" };
  const publicFolder = join(folder, "public");
  await Promise.all([
    ...options.pages.map((page) =>
      write(join(folder, "src/content/docs", markdownFile(page)), astroPage(site, page, options)),
    ),
    write(join(folder, "src/content/docs/404.md"), notFoundPage),
    write(join(folder, "src/site.json"), JSON.stringify(siteData(document, site, config))),
    ...[...textFiles(document, site, base)].map(([name, text]) => write(join(publicFolder, name), text)),
    ...["openapi.json", "openapi.yaml"].map((name) =>
      cp(join(generatedFolder, name), join(publicFolder, name)),
    ),
    postmanCollection(document).then((text) => write(join(publicFolder, "postman.json"), text)),
    writeRedocPage(join(publicFolder, "redoc.html")),
    writeTry(document, join(publicFolder, "try")),
  ]);
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

function astroPage(site: Site, page: Page, options: LinkOptions): string {
  const href = `${options.base}${markdownFile(page)}`;
  const alternate = { tag: "link", attrs: { rel: "alternate", type: "text/markdown", href } };
  const section = site.sections.find(({ pages }) => pages.includes(page));
  const text = withLinks(page, options);
  const frontMatter = {
    title: page.title,
    description: page.description,
    head: [alternate],
    kicker: section?.title,
    area: page.path === "changelog" ? "changelog" : section?.area,
    home: page === site.start,
    sandbox: text.includes("data-try"),
    requirements: text.includes("<small") || text.includes("requirements-only"),
    unlisted: page.unlisted,
  };
  return `---\n${stringify(frontMatter)}---\n\n${text}\n`;
}

/** Static file servers serve it for a missing page. A host that does not add the slash of a folder gets it here. */
const notFoundPage = `---
title: Page not found
pagefind: false
head:
  - tag: script
    content: |
      if (!/(\\/|\\.\\w+)$/.test(location.pathname)) location.replace(location.pathname + "/" + location.search + location.hash);
---

No page of this site has this URL. The navigation lists all pages; the search finds fields, errors and limits.
`;
