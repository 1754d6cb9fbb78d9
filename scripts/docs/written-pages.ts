import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, join, posix } from "node:path";
import listed from "../../docs/site/guides.json" with { type: "json" };
import { displayPath, readText } from "../../lib/files.ts";
import { UserError, usageError } from "../../lib/user-error.ts";
import { isPackaged, root } from "../common/paths.ts";
import { textForReaders } from "./audience.ts";
import type { SiteConfig } from "./config/site-config.ts";
import { editUrlOf, projectFiles } from "./links.ts";
import type { Page } from "./page.ts";
import { outsideCode } from "./text/markdown.ts";

/**
 * The guides in the order of the sidebar, those of a language, those for who builds or maintains a server, and written pages outside of these with
 * their paths. Every Markdown file of `docs/` and every README of a client must be listed.
 */
const { guides: guideFiles, languages: languageFiles, builders: builderFiles } = listed;
const otherPages: Readonly<Record<string, string>> = listed.others;

const guidePath = (file: string): string | undefined => {
  if (otherPages[file] !== undefined) return otherPages[file];
  if (languageFiles.includes(file)) return posix.dirname(file);
  if (![...guideFiles, ...builderFiles].includes(file)) return undefined;
  return file === "client/README.md" ? "guides/client" : `guides/${posix.basename(file, ".md")}`;
};

/**
 * The pages that are written by hand; for clients without those for builders.
 * @param removed ids of operations that the document lacks
 * @throws UserError that names a guide that is not listed or has no title, or an unresolved link
 */
export async function readGuides(config: SiteConfig, removed: readonly string[]) {
  const files = (await readdir(join(root, "docs"))).filter((file) => file.endsWith(".md"));
  const unlisted = files.find((file) => guidePath(`docs/${file}`) === undefined);
  if (unlisted !== undefined)
    throw new UserError(`docs/${unlisted} is not listed`, { hint: "List it in docs/site/guides.json." });
  const read = (file: string): Promise<Page> => readGuide(file, config, removed);
  const [start, changelog, downloads, notCovered, guides, languages, builders] = await Promise.all([
    read("docs/index.md"),
    read("docs/changelog.md"),
    read("docs/downloads.md"),
    read("docs/not-covered.md"),
    Promise.all(guideFiles.map(read)),
    Promise.all(languageFiles.map(read)),
    Promise.all(config.audience === "client" ? [] : builderFiles.map(read)),
  ]);
  return { start, changelog, downloads, notCovered, guides, languages, builders };
}

/** Title, description and the text below the title. @throws UserError if the text does not start with a title and a paragraph */
function writtenText(markdown: string, file: string) {
  const [, title, description, rest] = /^# (.+)\n\n((?:.+\n)+)([\s\S]*)$/.exec(markdown) ?? [];
  if (title === undefined || description === undefined)
    throw usageError(
      `${file} must start with a title and a paragraph`,
      "Its first lines are `# Title`, an empty line, and a paragraph of text.",
    );
  return {
    title,
    description: plainText(description),
    text: withoutComments(`${description}\n${rest ?? ""}`),
  };
}

async function readGuide(file: string, config: SiteConfig, removed: readonly string[]): Promise<Page> {
  const source = await readFile(join(root, file), "utf8");
  const { title, description, text } = writtenText(textForReaders(source, config, removed), file);
  return {
    path: guidePath(file) ?? "",
    source: file,
    // A README has the name of its package as its title.
    title: file === "client/README.md" ? "The TypeScript client" : title,
    description,
    text: resolveLinks(text, file),
  };
}

export const plainText = (text: string): string =>
  withoutComments(text)
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();

/** Removes comments such as `<!-- limit: batchMessages -->`, which are for tests. */
export const withoutComments = (text: string): string => text.replaceAll(/<!--.*?-->/g, "");

/** Code blocks and inline code. */
const codePattern = /^```[\s\S]*?^```$|`[^`\n]+`/gm;
const linkPattern = /\[([^\]]*)\]\((?!https?:|mailto:|site:|#)([^)#\s]*)(#[^)\s]*)?\)/g;
const codeOrLink = new RegExp(`${codePattern.source}|${linkPattern.source}`, "gm");

/** Makes links between files of the repository links of the site. A link to a file that is no page becomes text. */
const resolveLinks = (text: string, file: string): string =>
  text.replaceAll(codeOrLink, (whole, label: string | undefined, target: string, anchor = "") => {
    if (label === undefined) return whole;
    const linked = posix.normalize(posix.join(posix.dirname(file), target));
    const path = guidePath(linked);
    if (path !== undefined) return `[${label}](site:${path}${anchor})`;
    const name = posix.basename(linked);
    if (projectFiles.get(name) === linked) return `[${label}](site:${name})`;
    // The package does not contain every file of the project.
    if ((isPackaged || existsSync(join(root, linked))) && !/^docs\/[^/]+\.md$/.test(linked)) return label;
    throw new UserError(`${file}: the link ${whole} is unresolved`);
  });

/**
 * The pages that the publisher adds to the guides.
 * @param taken the paths of other pages
 * @throws UserError for a file without a title and a paragraph, or with the name of another page
 */
export async function extraPages(config: SiteConfig, taken: readonly string[]): Promise<Page[]> {
  const pages = await Promise.all(
    config.pages.map(async (file) => extraPage(config, file, await readText(file))),
  );
  const paths = [...taken, ...pages.map(({ path }) => path)];
  const twice = pages.find(({ path }, index) => paths.indexOf(path) !== taken.length + index);
  if (twice !== undefined)
    throw usageError(`two pages have the path ${twice.path}`, "Rename the file of the extra page.");
  return pages;
}

export function extraPage(config: SiteConfig, file: string, markdown: string): Page {
  const { title, description, text } = writtenText(markdown, displayPath(file));
  const editUrl = editUrlOf(config, file);
  return {
    path: extraPath(file),
    title,
    description,
    text: outsideCode(text, withSiteLinks, codePattern),
    written: { file, text: markdown },
    ...(editUrl !== undefined && { editUrl }),
  };
}

/** Markdown of a publisher with its links to files and paths as links of the site. */
export const withSiteLinks = (text: string): string =>
  text
    // Links between extra pages are links to their files.
    .replaceAll(
      /\]\((?![a-z]+:|\/|#)([^)#\s]+\.md)(#[^)]*)?\)/g,
      (_, target: string, anchor = "") => `](site:${extraPath(target)}${anchor})`,
    )
    // Links to other pages of the site are their paths.
    .replaceAll(
      /\]\(\/(?!\/)([^)#\s]*?)(?:\/|\.md)?(#[^)]*)?\)/g,
      (_, target: string, anchor = "") => `](site:${target}${anchor})`,
    );

const extraPath = (file: string): string =>
  `guides/${basename(file, ".md")
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]+/g, "-")}`;
