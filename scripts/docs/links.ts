import { Failure } from "../failure.ts";
import type { Page } from "./page.ts";

/**
 * The text with its links as addresses.
 *
 * @param addressOf the address of a page, as readers of this text reach it
 * @throws Failure that names the page and the link that leads to no page
 */
export function withLinks(
  page: Page,
  known: ReadonlySet<string>,
  addressOf: (page: string) => string,
): string {
  return page.text.replaceAll(/\]\(site:([^)#]*)(#[^)]*)?\)/g, (_, address: string, anchor = "") => {
    if (!known.has(address))
      throw new Failure(`the page ${page.address || "index"} links to ${address}, which is no page`, {
        hint: "The pages of the site stand in dist/docs/llms.txt.",
      });
    return `](${addressOf(address)}${anchor})`;
  });
}
