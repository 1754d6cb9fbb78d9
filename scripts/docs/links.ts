import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { displayPath } from "../../lib/files.ts";
import { UserError } from "../../lib/user-error.ts";
import type { Page } from "./pages/page.ts";

/** The files of the site that are not pages but can be linked to. */
const siteFiles: readonly string[] = [
  "llms.txt",
  "llms-full.txt",
  "openapi.json",
  "openapi.yaml",
  "postman.json",
  "redoc.html",
];

/** How to write links: to HTML pages or to Markdown files. */
export interface LinkOptions {
  pages: readonly Page[];
  /** The path of the site, ending with a slash. */
  base: string;
  form: "html" | "markdown";
  /** The output folder, absolute: a message names it. */
  out?: string;
}

export const markdownFile = ({ path }: Pick<Page, "path">): string => `${path || "index"}.md`;

/**
 * The text of a page with its `site:` links resolved.
 *
 * @throws UserError that names the page and the unresolved link
 */
export const withLinks = (page: Page, { pages, base, form, out = "dist/docs" }: LinkOptions): string =>
  page.text.replaceAll(/\]\(site:([^)#]*)(#[^)]*)?\)/g, (_, path: string, anchor = "") => {
    if (siteFiles.includes(path)) return `](${base}${path})`;
    if (!pages.some((other) => other.path === path))
      throw new UserError(`${placeOf(page, path)} links to ${path}, which does not exist`, {
        hint: hintOfPages(join(out, "llms.txt")),
        exitCode: page.written === undefined ? 1 : 2,
      });
    const target = form === "markdown" ? markdownFile({ path }) : path && `${path}/`;
    return `](${base}${target}${anchor})`;
  });

const hintOfPages = (list: string): string =>
  existsSync(list)
    ? `The file ${displayPath(list)} of an earlier build lists all pages.`
    : "Name a page by the path of its URL, such as /errors/ or /operations/send-email/.";

/** The page, or the file and line of a publisher that have the link. */
function placeOf({ path, written }: Page, target: string): string {
  if (written === undefined) return `the page ${path || "index"}`;
  const name = posix.basename(target);
  const isLink = (line: string): boolean => line.slice(line.indexOf("](")).toLowerCase().includes(name);
  const index = written.text.split("\n").findIndex((line) => line.includes("](") && isLink(line));
  return `${displayPath(written.file)}${index < 0 ? "" : `:${index + 1}`}`;
}
