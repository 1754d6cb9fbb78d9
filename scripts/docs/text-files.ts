import type { OpenApiDocument } from "../document/types.ts";
import { type LinkOptions, markdownFile, withLinks } from "./links.ts";
import { type Page, pagesOf, type Site } from "./page.ts";
import { outsideCode } from "./text/markdown.ts";

/**
 * The site for language models: every page as Markdown, `llms.txt` that lists the pages, and `llms-full.txt` with all of
 * them (llmstxt.org).
 * @param base the path of the site, ending with a slash
 * @returns the text of each file by its name
 */
export function textFiles(document: OpenApiDocument, site: Site, base: string): Map<string, string> {
  const options: LinkOptions = { pages: pagesOf(site), base, form: "markdown" };
  const pages = options.pages.map(
    (page) =>
      [markdownFile(page), `# ${page.title}\n\n${plainMarkdown(withLinks(page, options))}\n`] as const,
  );
  return new Map([
    ...pages,
    ["llms.txt", pageList(document, site, base)],
    ["llms-full.txt", pages.map(([, text]) => text).join("\n---\n\n")],
  ]);
}

function pageList(document: OpenApiDocument, { start, sections }: Site, base: string): string {
  const line = (page: Page): string => `- [${page.title}](${base}${markdownFile(page)}): ${page.description}`;
  const lists = sections.map(({ title, pages }) => `## ${title}\n\n${pages.map(line).join("\n")}`);
  const files = [
    `- [OpenAPI document, JSON](${base}openapi.json)`,
    `- [OpenAPI document, YAML](${base}openapi.yaml)`,
    `- [Postman collection](${base}postman.json): a request for each operation`,
    `- [All pages in one file](${base}llms-full.txt)`,
  ];
  const head = [`# ${document.info.title}`, `> ${start.description}`];
  return `${[...head, ...lists, "## Files", files.join("\n")].join("\n\n")}\n`;
}

/**
 * The Markdown of a page without HTML that only serves its layout. A diagram becomes its description; anchors stay,
 * since links lead to them; code blocks stay as they are.
 */
export const plainMarkdown = (text: string): string =>
  outsideCode(
    text.replaceAll(/ *<!-- site only -->[\s\S]*?<!-- end of site only -->\n*/g, ""),
    withoutLayout,
  ).trim();

const layoutTags = "div|details|table|tbody|tr|th|td";

const withoutLayout = (text: string): string =>
  text
    .replaceAll(/<figure .*?<desc[^>]*>(.*?)<\/desc>.*?<\/figure>/g, "$1")
    .replaceAll(/<p class="endpoint">.*?data-method="(.*?)" data-path="(.*?)".*?<\/p>/g, "`$1 $2`")
    .replaceAll(/^ *<(fieldset|caption|thead|button).*<\/\1>$/gm, "")
    .replaceAll(
      /<summary>(.*?)<\/summary>/g,
      (_, summary: string) => `**${summary.replaceAll(/<\/?code>/g, "`")}**`,
    )
    .replaceAll(new RegExp(`^ *</?(?:${layoutTags})(?: [^>]*)?>(?:</div>)?$`, "gm"), "")
    .replaceAll(/<a (id="[^"]*") class="self"[^>]*>/g, "<a $1>")
    .replaceAll(/ <span class="chip[^"]*">(.*?)<\/span>/g, " · $1")
    .replaceAll(/<\/?(?:small|span)(?: [^>]*)?>/g, "")
    .replaceAll(/\n(?: *\n){2,}/g, "\n\n");
