import { operations } from "../../generated/operations.ts";
import { operationsOf } from "../document/operations.ts";
import type { OpenApiDocument } from "../document/types.ts";
import type { SiteConfig } from "./config/site-config.ts";
import { mapPages, type Site } from "./page.ts";
import { plainLabel } from "./text/markdown.ts";

/** Whole lines of a guide, or a part of one. */
const block = /^<!-- (\w+) -->\n[\s\S]*?<!-- end of \1 -->\n|<!-- (\w+) -->.*?<!-- end of \2 -->/gm;

/**
 * The text of a guide without what its readers have no use for: as builders, with packages in a registry, without a clone of the project, or with
 * cards of the publisher. It names the simulator domain of the service and the contact of the publisher if they are known.
 * @param removed ids of operations: what is said of them is omitted, too
 */
export function textForReaders(text: string, config: SiteConfig, removed: readonly string[] = []): string {
  const { audience, packages, repositoryUrl, home, simulatorDomain, contact } = config;
  const builders = audience === "client";
  const files = packages === "registry";
  const clone = files && repositoryUrl === undefined;
  const own = { cards: home?.cards !== undefined, provider: contact !== undefined };
  const omitted = new Map(Object.entries({ builders, files, clone, ...own }));
  return text
    .replaceAll(block, (whole, lines?: string, part = lines) =>
      omitted.get(part) || removed.includes(part) ? "" : whole,
    )
    .replaceAll("<!-- simulator domain -->", simulatorDomain ? `, \`${simulatorDomain}\`` : "")
    .replaceAll("<!-- contact -->", contactLink(contact));
}

/** Whom readers can ask; empty if the publisher names nobody. */
function contactLink({ name, url, email }: NonNullable<SiteConfig["contact"]> = {}): string {
  const label = plainLabel(name ?? email ?? url ?? "");
  const target = url ?? (email && `mailto:${email}`);
  return target === undefined ? label : `[${label}](${target})`;
}

/** The operations of the contract that a document lacks, by their ids. */
export function removedOperations(document: OpenApiDocument): string[] {
  const published = new Set(operationsOf(document).map(({ id }) => id));
  return Object.keys(operations).filter((id) => !published.has(id));
}

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
        repositoryUrl === undefined ? label : `[${label}](${repositoryUrl})`,
      ),
    ),
  }));

/** Requirement ids and technical limits, as `requirementNotes` writes them. */
const notes = /(?: |<br>)*<small data-pagefind-ignore>.*?<\/small>/g;

/** A page without requirement ids: as HTML shows it at first, and as Markdown has it. */
export const withoutNotes = (text: string): string => text.replaceAll(notes, "");

/** The pages for clients only: no ids, so no switch that shows them, and no section for builders. */
export const siteForClients = (site: Site): Site => {
  const sections = site.sections.filter(({ area }) => area !== "builders");
  return mapPages({ ...site, sections }, (page) => ({ ...page, text: withoutNotes(page.text) }));
};

/** A copy of the document without requirements and levels, the marks of the nodes that express them, and the note that it is generated. */
export function documentForClients(document: OpenApiDocument): OpenApiDocument {
  const keys = new Set(["x-encodes", "x-generated", "x-levels", "x-requirements"]);
  return JSON.parse(JSON.stringify(document, (key, value) => (keys.has(key) ? undefined : value)));
}
