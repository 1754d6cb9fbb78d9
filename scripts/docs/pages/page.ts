/** One page of the site, in GitHub-flavoured Markdown. */
export interface Page {
  /** The path on the site without slashes at its ends: `operations/send-email`. Empty for the start page. */
  path: string;
  title: string;
  /** One sentence on the content, for search engines, lists of pages and language models. */
  description: string;
  /** The name in the sidebar if the title is too long for it. */
  label?: string;
  /** Where its source can be edited, if that is not where `source` is. */
  editUrl?: string;
  /** The file that it is written in, from the folder of the project. */
  source?: string;
  /** The file of the publisher that it is written in, absolute, and its text. */
  written?: { file: string; text: string };
  /** The method of the operation that the page is about. */
  method?: string;
  /** Whether the sidebar omits the page: other pages describe its content inline. */
  isHelper?: boolean;
  /** The anchors of sections that the sidebar omits. */
  unlisted?: string[];
  /** The text below the title. Links to other pages are written `site:errors#429-rate_limited` and resolved later. */
  text: string;
}

/** A link of the header. */
export type Area = "guides" | "reference" | "builders" | "changelog";

/** A group of the sidebar. */
export interface Section {
  title: string;
  area: Area;
  /** Whether only the pages of the section itself show its links. */
  collapsed?: boolean;
  pages: Page[];
}
