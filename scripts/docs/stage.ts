import { cp, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import type { OpenApiDocument } from "../document/types.ts";
import { generatedFolder, root } from "../paths.ts";
import { type LinkForm, markdownFile, withLinks } from "./links.ts";
import { machineFiles } from "./machine.ts";
import type { Page } from "./page.ts";
import { postmanCollection } from "./postman.ts";
import { writeRedocPage } from "./redoc.ts";
import { pagesOf, type Site } from "./site.ts";

/**
 * Writes what Astro builds the site from: the hand-made parts of `docs/site`, every page as Markdown with front matter,
 * and in `public/` whatever is served as it is.
 *
 * @param folder an empty folder below the project, so that packages are found from there
 * @param base what every address begins with, with a slash at its end
 */
export async function stageSite(
  document: OpenApiDocument,
  site: Site,
  folder: string,
  base: string,
): Promise<void> {
  await cp(join(root, "docs/site"), folder, { recursive: true });
  const links: LinkForm = { pages: pagesOf(site), base, form: "page" };
  const pages = links.pages.map((page) =>
    write(join(folder, "src/content/docs", markdownFile(page)), sourceOf(page, links)),
  );
  const texts = [...machineFiles(document, site, base)].map(([name, text]) =>
    write(join(folder, "public", name), text),
  );
  const copies = ["openapi.json", "openapi.yaml"].map((name) =>
    cp(join(generatedFolder, name), join(folder, "public", name)),
  );
  await Promise.all([
    ...pages,
    ...texts,
    ...copies,
    postmanCollection(document).then((text) => write(join(folder, "public/postman.json"), text)),
    writeRedocPage(join(folder, "public/redoc.html")),
  ]);
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

function sourceOf(page: Page, links: LinkForm): string {
  const href = `${links.base}${markdownFile(page)}`;
  const twin = { tag: "link", attrs: { rel: "alternate", type: "text/markdown", href } };
  const matter = { title: page.title, description: page.description, head: [twin] };
  return `---\n${stringify(matter)}---\n\n${withLinks(page, links)}\n`;
}
