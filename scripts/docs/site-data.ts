import type { OpenApiDocument } from "../document/types.ts";
import type { SiteConfig } from "./config/site-config.ts";
import { skillFile } from "./links.ts";
import { type Area, type HeadElement, pagesOf, type Site, type SiteVersion } from "./page.ts";
import { suggestions } from "./search/keywords.ts";
import { logoFile, socialImageFile } from "./theme.ts";

const areas: readonly (readonly [Area, string])[] = [
  ["guides", "Guides"],
  ["reference", "API reference"],
  ["builders", "For builders"],
];

/** What the header, the footer and the first page show, for the components in `docs/site`. */
export function siteData({ document, site, config }: SiteVersion, versionPaths: readonly string[][]) {
  const { base } = config;
  const { title, version, license } = document.info;
  const firstPage = (area: Area) => site.sections.find((one) => one.area === area)?.pages[0];
  const logo = logoFile(config);
  const changelog = `${base}changelog/`;
  return {
    title,
    // Instead of the built-in logo.
    logo: logo === undefined ? undefined : `${base}${logo}`,
    version,
    // Of several versions, an earlier one may have the version of the current one.
    versionLabel: config.versions.length === 0 ? `v${version}` : (config.version ?? `v${version} (current)`),
    date: releaseDate(site, version),
    openapi: document.openapi.replace(/\.\d+$/, ""),
    notice: config.footer ?? license?.name,
    base,
    changelog,
    areas: [
      ...areas.flatMap(([id, title]) => {
        const page = firstPage(id);
        return page === undefined ? [] : [{ id, title, href: `${base}${page.path}/` }];
      }),
      { id: "downloads", title: "Downloads", href: `${base}downloads/` },
      { id: "changelog", title: "Changelog", href: changelog },
      ...config.links.map(({ title, url }) => ({ title, href: url })),
    ],
    files: [
      ["openapi.json", "openapi.json"],
      ["openapi.yaml", "openapi.yaml"],
      ["Postman collection", "postman.json"],
      ["llms.txt", "llms.txt"],
      ["llms-full.txt", "llms-full.txt"],
      ["Skill for agents", skillFile],
    ].map(([title = "", file = ""]) => ({ title, href: `${base}${file}` })),
    // What the search shows before a word is typed.
    suggestions: pagesOf(site)
      .filter(({ path }) => suggestions.includes(path))
      .map(({ title, path }) => ({ title, href: `${base}${path}/` })),
    versions: versionsOf(config, versionPaths),
    origin: config.siteUrl && new URL(config.siteUrl).origin,
  };
}

/** The current version and the earlier ones; empty if there is only one. */
function versionsOf({ base, version, versions }: SiteConfig, versionPaths: readonly string[][]) {
  if (versions.length === 0) return [];
  const root = version === undefined ? base : base.slice(0, -`${version}/`.length);
  return [
    { title: "Current version", href: root, isShown: version === undefined },
    ...versions.map(({ name }) => ({ title: name, href: `${root}${name}/`, isShown: name === version })),
  ].map((one, index) => ({ ...one, paths: versionPaths[index] ?? [] }));
}

/** The date in the heading of the version in the changelog. */
function releaseDate({ sections }: Site, version: string): string | undefined {
  const { text = "" } = sections.flatMap(({ pages }) => pages).find(({ path }) => path === "changelog") ?? {};
  const heading = text.split("\n").find((line) => line.startsWith(`## ${version}`));
  return /\d{4}-\d{2}-\d{2}/.exec(heading ?? "")?.[0];
}

export const faviconOf = (config: SiteConfig): string => `/${logoFile(config) ?? "favicon.svg"}`;

/** The head of every page: the social image with what describes it, and whether search engines should list the page. */
export function siteHead({ info }: OpenApiDocument, config: SiteConfig): HeadElement[] {
  const image = socialImageFile(config);
  return [
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
    ...(info.contact && { provider: { "@type": "Organization", ...info.contact } }),
  }).replaceAll("<", "\\u003c"),
});
