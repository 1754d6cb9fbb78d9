import { UserError } from "../../lib/user-error.ts";
import type { Page } from "./page.ts";

/** What the site serves beside its pages, and what a page may link to by its name. */
export const siteFiles = [
  "llms.txt",
  "llms-full.txt",
  "openapi.json",
  "openapi.yaml",
  "postman.json",
  "redoc.html",
] as const;

/** How links are written: to which pages, below which path, and whether readers follow them to pages or to their twins. */
export interface LinkForm {
  pages: readonly Page[];
  /** What every address begins with, with a slash at its end. */
  base: string;
  form: "page" | "markdown";
}

/** The name of the file that a page is written to as Markdown. */
export const markdownFile = ({ address }: Pick<Page, "address">): string => `${address || "index"}.md`;

/**
 * The text of a page with its links as addresses.
 *
 * @throws Failure that names the page and the link that leads nowhere
 */
export function withLinks(page: Page, { pages, base, form }: LinkForm): string {
  const files: readonly string[] = siteFiles;
  return page.text.replaceAll(/\]\(site:([^)#]*)(#[^)]*)?\)/g, (_, address: string, anchor = "") => {
    if (files.includes(address)) return `](${base}${address})`;
    if (!pages.some((other) => other.address === address))
      throw new UserError(`the page ${page.address || "index"} links to ${address}, which is no page`, {
        hint: "The addresses of all pages stand in dist/docs/llms.txt, once the site has been built.",
      });
    const place = form === "markdown" ? markdownFile({ address }) : address && `${address}/`;
    return `](${base}${place}${anchor})`;
  });
}
