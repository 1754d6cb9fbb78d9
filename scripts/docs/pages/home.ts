import { readText } from "../../../lib/files.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import type { SiteConfig } from "../config/site-config.ts";
import { operationPath, type Page } from "../page.ts";
import { box, bulletList, code, joined, siteLink } from "../text/markdown.ts";
import { extraPage, plainText, withSiteLinks } from "../written-pages.ts";
import { operationsWith } from "./reference.ts";

/** The first page: that of the publisher, or the built-in one with the publisher's parts; then a list of the operations. */
export async function homePage(document: OpenApiDocument, builtIn: Page, config: SiteConfig): Promise<Page> {
  const { file, title = document.info.title } = config.home ?? {};
  const page =
    file === undefined
      ? { ...withOwnParts(builtIn, config.home), title }
      : { ...extraPage(config, file, await readText(file)), path: "" };
  return { ...page, text: joined(page.text.trim(), "## Operations", operationList(document)) };
}

/** Where the cards of a publisher stand instead of the built-in ones, which are left out already. */
const cardsMark = "<div data-cards></div>\n";

function withOwnParts(page: Page, { lead, cards = [] }: SiteConfig["home"] = {}): Page {
  const own = cards.map(({ title, url, text }) =>
    box("card", withSiteLinks(`## [${title}](${url})`), withSiteLinks(text)),
  );
  const text = page.text.replace(cardsMark, () => (own.length === 0 ? "" : box("cards", ...own)));
  if (lead === undefined) return { ...page, text };
  const end = text.indexOf("\n\n");
  return { ...page, description: plainText(lead), text: joined(withSiteLinks(lead), text.slice(end).trim()) };
}

function operationList(document: OpenApiDocument): string {
  const groups = document.tags.map(({ name }) => {
    const lines = operationsWith(document, name).map(
      ({ id, method, path, operation: { summary } }) =>
        `<span class="method ${method}">${method.toUpperCase()}</span> ${siteLink(summary, operationPath(id))} ${code(path)}`,
    );
    return box("group", `### ${name}`, bulletList(lines));
  });
  return box("operations", ...groups);
}
