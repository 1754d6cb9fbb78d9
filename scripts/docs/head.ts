import type { OpenApiDocument } from "../document/types.ts";
import { logoFile, socialImageFile } from "./brand.ts";
import type { SiteConfig } from "./config/site-config.ts";

/** An element of the head of every page, as Starlight takes it. */
export interface HeadElement {
  tag: "link" | "meta" | "script";
  attrs: Record<string, string>;
  content?: string;
}

/** The icon of the browser tab. */
export const faviconOf = (config: SiteConfig): string => `/${logoFile(config) ?? "favicon.svg"}`;

/** The head of every page: the feed, and the social image with what describes it. */
export function siteHead({ info }: OpenApiDocument, config: SiteConfig): HeadElement[] {
  const feed = { rel: "alternate", type: "application/atom+xml", title: `Changelog of ${info.title}` };
  const image = socialImageFile(config);
  return [
    { tag: "link", attrs: { ...feed, href: `${config.base}changelog.xml` } },
    ...(image === undefined
      ? []
      : [
          meta("og:image", `${config.siteUrl}${image}`),
          meta("og:image:alt", info.title),
          meta("twitter:image", `${config.siteUrl}${image}`),
        ]),
    // Search engines should find the current version.
    ...(config.version === undefined ? [] : [meta("robots", "noindex")]),
  ];
}

const meta = (name: string, content: string): HeadElement => ({
  tag: "meta",
  attrs: { [name.startsWith("og:") ? "property" : "name"]: name, content },
});

/** What the first page tells search engines about the API (schema.org). */
export const apiDescription = ({ info }: OpenApiDocument, { siteUrl }: SiteConfig): HeadElement => ({
  tag: "script",
  attrs: { type: "application/ld+json" },
  content: JSON.stringify({
    "@context": "https://schema.org",
    "@type": "WebAPI",
    name: info.title,
    description: info.summary,
    version: info.version,
    ...(siteUrl !== undefined && { url: siteUrl, documentation: siteUrl }),
    ...(info.contact && {
      provider: { "@type": "Organization", name: info.contact.name, url: info.contact.url },
    }),
  }).replaceAll("<", "\\u003c"),
});
