import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { displayPath } from "../../lib/files.ts";
import { UserError } from "../../lib/user-error.ts";
import type { SiteConfig } from "./config/site-config.ts";
import { codePattern, type WrittenText, writtenText } from "./guides.ts";
import type { Page } from "./pages/page.ts";
import { editUrlOf } from "./sources.ts";

/**
 * The pages that the publisher adds to the guides.
 *
 * @param taken the paths of other pages
 * @throws UserError for a file without a title and a paragraph, or with the name of another page
 */
export async function extraPages(config: SiteConfig, taken: readonly string[]): Promise<Page[]> {
  const pages = await Promise.all(
    config.pages.map(async (file) => {
      const text = await readFile(file, "utf8");
      return { ...pageOf(config, file, writtenText(text, displayPath(file))), written: { file, text } };
    }),
  );
  const paths = [...taken, ...pages.map(({ path }) => path)];
  const twice = pages.find(({ path }, index) => paths.indexOf(path) !== taken.length + index);
  if (twice !== undefined)
    throw new UserError(`two pages have the path ${twice.path}`, {
      hint: "Rename the file of the extra page.",
      exitCode: 2,
    });
  return pages;
}

function pageOf(config: SiteConfig, file: string, { title, description, text }: WrittenText): Page {
  const editUrl = editUrlOf(config, file);
  return {
    path: pathOf(file),
    title,
    description,
    text: outsideCode(text, withSiteLinks),
    ...(editUrl !== undefined && { editUrl }),
  };
}

/** Between the parts that are code: every second one. */
const outsideCode = (text: string, change: (text: string) => string): string =>
  text
    .split(new RegExp(`(${codePattern.source})`, "m"))
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join("");

const withSiteLinks = (text: string): string =>
  text
    // Links between extra pages are links to their files.
    .replaceAll(
      /\]\((?![a-z]+:|\/|#)([^)#\s]+\.md)(#[^)]*)?\)/g,
      (_, target: string, anchor = "") => `](site:${pathOf(target)}${anchor})`,
    )
    // Links to other pages of the site are their paths.
    .replaceAll(
      /\]\(\/(?!\/)([^)#\s]*?)(?:\/|\.md)?(#[^)]*)?\)/g,
      (_, target: string, anchor = "") => `](site:${target}${anchor})`,
    );

const pathOf = (file: string): string =>
  `guides/${basename(file, ".md")
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]+/g, "-")}`;
