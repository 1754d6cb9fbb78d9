import { readFile } from "node:fs/promises";
import { join } from "node:path";
import listed from "../../docs/site/guides.json" with { type: "json" };
import { firstSentence } from "../../lib/text.ts";
import { root } from "../common/paths.ts";
import { readBundle } from "../document/read-bundle.ts";
import { baseUrlOf } from "../document/requests.ts";
import { removedOperations, textForReaders, withoutNotes } from "./audience.ts";
import { type LinkOptions, markdownFile, skillFile, withLinks } from "./links.ts";
import { operationPath, type Page, pagesOf, type Section, type SiteVersion } from "./page.ts";
import { outsideCode } from "./text/markdown.ts";
import { withoutComments } from "./written-pages.ts";

/**
 * The site for agents (llmstxt.org): every page as Markdown, `llms.txt` that lists the pages, `llms-full.txt` with what a
 * client can be written from, `llms-optional.txt` with the other pages, and a skill.
 * @returns the text of each file by its name
 */
export async function textFiles(version: SiteVersion): Promise<Map<string, string>> {
  const base = urlOfSite(version);
  const options: LinkOptions = { pages: pagesOf(version.site), base, form: "markdown" };
  const text = (page: Page): string =>
    `# ${page.title}\n\n> All pages: [llms.txt](${base}llms.txt)\n\n${plainMarkdown(withLinks(page, options))}\n`;
  const texts = new Map(options.pages.map((page) => [page, text(page)]));
  const together = (pages: readonly Page[]): string =>
    pages.map((page) => withoutTargets(texts.get(page) ?? "", base)).join("\n---\n\n");
  const { needed } = chosen(version);
  const omitted = needed.flatMap((section) => listedPages(section, listed.notInFull));
  const isInFull = (page: Page): boolean => listed.inFull.includes(page.path) || !omitted.includes(page);
  const complete = needed.flatMap(({ pages }) => pages).filter(isInFull);
  return new Map([
    ...[...texts].map(([page, text]) => [markdownFile(page), text] as const),
    ["llms.txt", pageList(version)],
    ["llms-full.txt", together(complete)],
    ["llms-optional.txt", together(options.pages.filter((page) => !complete.includes(page)))],
    [skillFile, await skill(version)],
  ]);
}

/** Absolute if the publisher gives the URL: an agent may read a text without knowing where it comes from. */
const urlOfSite = ({ config }: SiteVersion): string => config.siteUrl ?? config.base;

/** A page for a file with all of them: no anchors, no link to the list of pages, and links within the site as text. @param base the path or URL of the site */
export const withoutTargets = (text: string, base: string): string =>
  text
    .replace(/^> All pages: .*\n\n/m, "")
    .replaceAll(/<a id="[^"]*"><\/a>/g, "")
    .replaceAll(/\[((?:`[^`\n]*`|[^[\]`\n])*)\]\(([^)\s]*)\)/g, (whole, label: string, target: string) =>
      target.startsWith(base) || target.startsWith("#") ? label : whole,
    );

/** The pages of a section that a list of `guides.json` has, by their paths or all by its title. */
const listedPages = ({ title, pages }: Section, parts: readonly string[]): Page[] =>
  pages.filter(({ path }) => parts.includes(title) || parts.includes(path));

/** The sections with the pages that a client developer needs, and all other pages. */
function chosen({ site: { sections } }: SiteVersion): { needed: Section[]; optional: Page[] } {
  const optional = sections.flatMap((section) => listedPages(section, listed.optional));
  const needed = sections.map((section) => ({
    ...section,
    pages: section.pages.filter((page) => !optional.includes(page)),
  }));
  return { needed: needed.filter(({ pages }) => pages.length > 0), optional };
}

function pageList(version: SiteVersion): string {
  const { document, site } = version;
  const url = (file: string): string => `${urlOfSite(version)}${file}`;
  const line = (page: Page): string =>
    `- [${page.title}](${url(markdownFile(page))}): ${page.brief ?? firstSentence(page.description)}`;
  const list = (title: string, lines: readonly string[]): string => `## ${title}\n\n${lines.join("\n")}`;
  const { needed, optional } = chosen(version);
  const files = [
    `- [OpenAPI document, YAML](${url("openapi.yaml")})`,
    `- [Postman collection](${url("postman.json")}): a request for each operation`,
    `- [Other pages in one file](${url("llms-optional.txt")}): guides, objects and all that is listed here`,
  ];
  const parts = [
    `# ${document.info.title}`,
    `> ${site.start.description}`,
    list("Start here", [
      `- [Skill](${url(skillFile)}): how to call the API, handle errors and retry, on one page; read it first`,
      `- [Reference in one file](${url("llms-full.txt")}): every operation, error and limit`,
      `- [OpenAPI document](${url("openapi.json")})`,
    ]),
    ...needed.map(({ title, pages }) => list(title, pages.map(line))),
    list("Optional", [...optional.map(line), ...files]),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** The skill of the project with the base URL of the document, and without the operations that it lacks. */
async function skill({ document, config }: SiteVersion): Promise<string> {
  const removed = removedOperations(document);
  const text = textForReaders(await readFile(join(root, skillFile), "utf8"), config, removed);
  const files = removed.map((id) => markdownFile({ path: operationPath(id) }));
  return (
    withoutComments(text)
      .replaceAll(baseUrlOf(await readBundle()), baseUrlOf(document))
      // An agent has the file in a project, where nothing says where the pages are.
      .replace("`llms.txt`", (name) => (config.siteUrl === undefined ? name : `<${config.siteUrl}llms.txt>`))
      .replaceAll(/^\|.*`(operations\/.*)` \|\n/gm, (row, file: string) => (files.includes(file) ? "" : row))
      .replaceAll(/\n{3,}/g, "\n\n")
  );
}

/**
 * The Markdown of a page as HTML shows it at first, without HTML that only serves its layout. A diagram becomes its description; anchors stay,
 * since links lead to them; code blocks stay as they are.
 */
export const plainMarkdown = (text: string): string =>
  outsideCode(
    withoutNotes(text)
      .replaceAll(/ *<!-- site only -->[\s\S]*?<!-- end of site only -->\n*/g, "")
      .replaceAll(/<!-- markdown only\n([\s\S]*?)\n-->/g, "$1"),
    withoutLayout,
  ).trim();

const withoutLayout = (text: string): string =>
  text
    .replaceAll(/<figure .*?<desc[^>]*>(.*?)<\/desc>.*?<\/figure>/g, "$1")
    .replaceAll(/<p class="endpoint">.*?data-method="(.*?)" data-path="(.*?)".*?<\/p>/g, "`$1 $2`")
    .replaceAll(/^ *<(fieldset|caption|thead|button).*<\/\1>$/gm, "")
    .replaceAll(
      /<summary>(.*?)<\/summary>/g,
      (_, summary: string) => `**${summary.replaceAll(/<\/?code>/g, "`")}**`,
    )
    .replaceAll(/^ *<\/?(?:div|details|table|tbody|tr|th|td)(?: [^>]*)?>(?:<\/div>)?$/gm, "")
    .replaceAll(/<a (id="[^"]*") class="self"[^>]*>/g, "<a $1>")
    .replaceAll(/<\/?(?:small|span)(?: [^>]*)?>/g, "")
    .replaceAll(/\n(?: *\n){2,}/g, "\n\n");
