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
}

export const markdownFile = ({ path }: Pick<Page, "path">): string => `${path || "index"}.md`;

/**
 * The text of a page with its `site:` links resolved.
 *
 * @throws UserError that names the page and the unresolved link
 */
export const withLinks = (page: Page, { pages, base, form }: LinkOptions): string =>
  page.text.replaceAll(/\]\(site:([^)#]*)(#[^)]*)?\)/g, (_, path: string, anchor = "") => {
    if (siteFiles.includes(path)) return `](${base}${path})`;
    if (!pages.some((other) => other.path === path))
      throw new UserError(`the page ${page.path || "index"} links to ${path}, which does not exist`, {
        hint: "The file dist/docs/llms.txt of an earlier build lists all pages.",
      });
    const target = form === "markdown" ? markdownFile({ path }) : path && `${path}/`;
    return `](${base}${target}${anchor})`;
  });
