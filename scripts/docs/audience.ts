import type { OpenApiDocument } from "../document/types.ts";
import type { SiteConfig } from "./config/site-config.ts";
import { mapPages, type Site } from "./page.ts";

/** Whole lines of a guide, or a part of one. */
const block = /^<!-- (\w+) -->\n[\s\S]*?<!-- end of \1 -->\n|<!-- (\w+) -->.*?<!-- end of \2 -->/gm;

/**
 * The text of a guide without what its readers have no use for: as builders, with packages in a registry, without a clone of the project, or with
 * cards of the publisher. It names the simulator domain of the service if that is known.
 */
export function textForReaders(text: string, config: SiteConfig): string {
  const { audience, packages, repositoryUrl, home, simulatorDomain } = config;
  const builders = audience === "client";
  const files = packages === "registry";
  const clone = files && repositoryUrl === undefined;
  const omitted = new Map(Object.entries({ builders, files, clone, cards: home?.cards !== undefined }));
  return text
    .replaceAll(block, (whole, lines?: string, part = lines) => (omitted.get(part) ? "" : whole))
    .replaceAll("<!-- simulator domain -->", simulatorDomain ? `, \`${simulatorDomain}\`` : "");
}

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
