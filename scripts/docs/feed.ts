import { Feed } from "feed";
import type { OpenApiDocument } from "../document/types.ts";
import type { SiteConfig } from "./config/site-config.ts";
import { withLinks } from "./links.ts";
import type { Page } from "./pages/page.ts";
import { plainMarkdown } from "./plain-markdown.ts";

/** The library takes absolute URLs only. Without a site URL, those of the feed are relative to it. */
const unknownOrigin = "https://site.example";

/** The dated entries of the changelog as an Atom feed. An entry starts with `## 1.0.0 (2026-11-23)`. */
export function changelogFeed({ info }: OpenApiDocument, pages: readonly Page[], config: SiteConfig): string {
  const changelog = pages.find(({ path }) => path === "changelog");
  const site = config.siteUrl ?? unknownOrigin + config.base;
  const link = `${site}changelog/`;
  const entries =
    changelog === undefined ? [] : entriesOf(withLinks(changelog, { pages, base: site, form: "html" }));
  const feed = new Feed({
    id: link,
    title: `Changelog of ${info.title}`,
    link,
    feedLinks: { atom: `${site}changelog.xml` },
    copyright: info.license?.name ?? "",
    ...(entries[0] !== undefined && { updated: entries[0].date }),
  });
  for (const { version, date, text } of entries) {
    const target = `${link}#${anchorOf(version, date)}`;
    feed.addItem({
      id: target,
      title: `${info.title} ${version}`,
      link: target,
      date,
      description: plainMarkdown(text),
    });
  }
  return config.siteUrl === undefined ? feed.atom1().replaceAll(unknownOrigin, "") : feed.atom1();
}

/** The entries of a changelog, the newest first. */
function entriesOf(text: string): { version: string; date: Date; text: string }[] {
  return text
    .split(/^## /m)
    .slice(1)
    .flatMap((entry) => {
      const [heading = "", ...lines] = entry.split("\n");
      const [, version, day] = /^(\S+) \((\d{4}-\d{2}-\d{2})\)$/.exec(heading) ?? [];
      return version === undefined || day === undefined
        ? []
        : [{ version, date: new Date(day), text: lines.join("\n").trim() }];
    });
}

/** The anchor that the Markdown renderer derives from the heading. */
const anchorOf = (version: string, date: Date): string =>
  `${version.replaceAll(".", "")}-${date.toISOString().slice(0, 10)}`;
