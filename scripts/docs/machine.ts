import type { OpenApiDocument } from "../document/types.ts";
import { type LinkForm, markdownFile, withLinks } from "./links.ts";
import type { Page } from "./page.ts";
import { plainMarkdown } from "./plain.ts";
import { pagesOf, type Site } from "./site.ts";

/**
 * What the site has for machines: a Markdown twin of every page, `llms.txt` that lists them, and `llms-full.txt` with
 * all of them (the form is that of llmstxt.org).
 *
 * @param base what every address of the site begins with, with a slash at its end
 * @returns texts by the name of their file
 */
export function machineFiles(document: OpenApiDocument, site: Site, base: string): Map<string, string> {
  const links: LinkForm = { pages: pagesOf(site), base, form: "markdown" };
  const twins = links.pages.map((page) => [markdownFile(page), twin(page, links)] as const);
  return new Map([
    ...twins,
    ["llms.txt", list(document, site, base)],
    ["llms-full.txt", twins.map(([, text]) => text).join("\n---\n\n")],
  ]);
}

const twin = (page: Page, links: LinkForm): string =>
  `# ${page.title}\n\n${plainMarkdown(withLinks(page, links))}\n`;

function list(document: OpenApiDocument, { first, sections }: Site, base: string): string {
  const line = (page: Page): string => `- [${page.title}](${base}${markdownFile(page)}): ${page.description}`;
  const parts = sections.map(({ title, pages }) => `## ${title}\n\n${pages.map(line).join("\n")}`);
  const files = [
    `- [OpenAPI document, JSON](${base}openapi.json): the whole contract`,
    `- [OpenAPI document, YAML](${base}openapi.yaml): the same`,
    `- [Postman collection](${base}postman.json): a request for each operation`,
    `- [Everything above in one text](${base}llms-full.txt)`,
  ];
  const title = [`# ${document.info.title}`, `> ${first.description}`];
  return `${[...title, ...parts, "## Files", files.join("\n")].join("\n\n")}\n`;
}
