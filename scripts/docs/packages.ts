import type { SiteConfig } from "./config/site-config.ts";
import { mapPages, type Site } from "./page.ts";

/** A link to where the project is, which only the publisher knows. */
const repositoryLink = /\[([^\]]*)\]\(site:repository\)/g;

/** What guides say of installing from a file, and the same from a registry. */
const fromRegistry: readonly (readonly [file: RegExp, name: string])[] = [
  [/ from \[its file\]\([^)]*\)/g, ""],
  [/\.\/(?:tools\/)?(email-api-(?:client|contract))-\d[\w.-]*\.tgz/g, "$1"],
  [/npx --no (?=email-api-contract\b)/g, "npx "],
  [/(?:npm ci\n)?npm run sandbox(?: --(?= )|(?=\n))/g, "npx email-api-contract sandbox"],
];

/**
 * The site with the ways to get the packages that work for its readers. A name in a registry belongs to the first who takes it, so guides install
 * from files unless the publisher says that the packages are there.
 */
export const withPackages = (site: Site, { repositoryUrl, packages }: SiteConfig): Site =>
  mapPages(site, (page) => ({
    ...page,
    text: (packages === "registry" ? fromRegistry : []).reduce(
      (text, [file, name]) => text.replaceAll(file, name),
      page.text.replaceAll(repositoryLink, (_, label: string) =>
        repositoryUrl === undefined
          ? `${label} (ask who publishes this site)`
          : `[${label}](${repositoryUrl})`,
      ),
    ),
  }));
