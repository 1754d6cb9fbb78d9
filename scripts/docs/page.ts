import { capitalized } from "../../lib/text.ts";
import type { OpenApiDocument } from "../document/types.ts";
import type { SiteConfig } from "./config/site-config.ts";

/** One page of the site, in GitHub-flavoured Markdown. */
export interface Page {
  /** The path on the site without slashes at its ends: `operations/send-email`. Empty for the start page. */
  path: string;
  title: string;
  /** One sentence on the content, for search engines, lists of pages and language models. */
  description: string;
  /** What a list of pages says instead of the first sentence of the description: method, path and what an operation does. */
  brief?: string;
  /** The name in the sidebar if the title is too long for it. */
  label?: string;
  /** Where its source can be edited, if that is not where `source` is. */
  editUrl?: string;
  /** The file that it is written in, from the folder of the project; of several, the first to read. */
  source?: string;
  /** The file of the publisher that it is written in, absolute, and its text. */
  written?: { file: string; text: string };
  method?: string;
  /** Whether the sidebar omits the page: other pages describe its content inline. */
  isHelper?: boolean;
  /** The anchors of sections that the sidebar omits. */
  unlisted?: string[];
  /** The text below the title. Links to other pages are written `site:errors#429-rate_limited` and resolved later. */
  text: string;
}

/** A link of the header. */
export type Area = "guides" | "reference" | "builders" | "downloads" | "changelog";

export interface Section {
  title: string;
  area: Area;
  /** Whether only the pages of the section itself show its links. */
  collapsed?: boolean;
  pages: Page[];
}

/** The start page, and all other pages by section in the order of the sidebar. */
export interface Site {
  start: Page;
  sections: Section[];
  /** What a publisher should know of the pages. */
  notes?: string[];
}

export const pagesOf = ({ start, sections }: Site): Page[] => [
  start,
  ...sections.flatMap(({ pages }) => pages),
];

export const mapPages = (site: Site, change: (page: Page) => Page): Site => ({
  ...site,
  start: change(site.start),
  sections: site.sections.map((section) => ({ ...section, pages: section.pages.map(change) })),
});

/** An element of the head of a page, as Starlight takes it. */
export interface HeadElement {
  tag: "link" | "meta" | "script";
  attrs: Record<string, string>;
  content?: string;
}

/** A version of the site before it is built: its pages, the document that they describe, and what the publisher decides. */
export interface SiteVersion {
  document: OpenApiDocument;
  site: Site;
  config: SiteConfig;
}

/** `sendEmail` as it is written in a path: `send-email`. */
export const kebab = (name: string): string => name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "-").toLowerCase();

/** A name of a type in words: `SendRequest` is `Send request`. */
export const inWords = (name: string): string => capitalized(kebab(name).replaceAll("-", " "));

export const operationPath = (operationId: string): string => `operations/${kebab(operationId)}`;

/** A schema with a title has its own page; all other schemas share one. */
export const schemaPath = (name: string, schema: { title?: string }): string =>
  schema.title === undefined ? `objects/values#${kebab(name)}` : `objects/${kebab(name)}`;

/** The anchor is the one that the Markdown renderer derives from the heading of the error. */
export const errorPath = ({ id }: { id: string }): string => `errors#${id.replaceAll(".", "-")}`;

export const workflowPagePath = (name: string): string => `workflows/${name}`;

export const requirementPath = (id: string): string => `requirements#${id}`;
export const unspecifiedPath = (id: string): string => `unspecified#${id}`;
