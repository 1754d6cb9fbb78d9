import type { OpenApiDocument } from "../document.ts";
import { withLinks } from "./links.ts";
import type { Page } from "./page.ts";
import { pagesOf, type Site } from "./site.ts";

/**
 * What the site has for machines: a Markdown twin of every page, `llms.txt` that lists them, and `llms-full.txt` with
 * all of them (the form is that of llmstxt.org).
 *
 * @param base what every address of the site begins with, with a slash at its end
 * @returns texts by the name of their file
 */
export function machineFiles(document: OpenApiDocument, site: Site, base: string): Map<string, string> {
  const pages = pagesOf(site);
  const known = new Set(pages.map(({ address }) => address));
  const twins = pages.map((page) => [twinName(page), twin(page, known, base)] as const);
  return new Map([
    ...twins,
    ["llms.txt", list(document, site, base)],
    ["llms-full.txt", twins.map(([, text]) => text).join("\n---\n\n")],
  ]);
}

const fileOf = (address: string): string => `${address || "index"}.md`;
export const twinName = ({ address }: Page): string => fileOf(address);

const twin = (page: Page, known: ReadonlySet<string>, base: string): string =>
  `# ${page.title}\n\n${withLinks(page, known, (address) => `${base}${fileOf(address)}`)}\n`;

function list(document: OpenApiDocument, { first, sections }: Site, base: string): string {
  const line = (page: Page): string => `- [${page.title}](${base}${twinName(page)}): ${page.description}`;
  const parts = sections.map(({ title, pages }) => `## ${title}\n\n${pages.map(line).join("\n")}`);
  const files = [
    `- [OpenAPI document, JSON](${base}openapi.json): the whole contract`,
    `- [OpenAPI document, YAML](${base}openapi.yaml): the same`,
    `- [Everything above in one text](${base}llms-full.txt)`,
  ];
  return [`# ${document.info.title}`, `> ${first.description}`, ...parts, `## Files\n\n${files.join("\n")}`]
    .join("\n\n")
    .concat("\n");
}
