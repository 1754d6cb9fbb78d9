import { join } from "node:path";
import { isPackaged, root } from "../../common/paths.ts";

/** A link in the header. */
export interface HeaderLink {
  title: string;
  url: string;
}

/** An earlier version, below its own folder of the site. */
export interface SiteVersion {
  name: string;
  /** The file of its bundled document. */
  document: string;
}

/** What a publisher decides about the site. Paths of files and folders are absolute. */
export interface SiteConfig {
  /** The path that the site is published under, with slashes around it: `/` or `/reference/`. */
  base: string;
  /** The output folder. Its content is replaced. */
  out: string;
  /** The name of the API, instead of that in the document. */
  title?: string;
  /** The public URL of the site, ending with a slash. */
  siteUrl?: string;
  /** The image shown where a page is shared. */
  socialImage?: string;
  /** The base URL of the service, without a slash at the end, instead of that in the document. */
  baseUrl?: string;
  /** The image in the header and the icon of the browser tab, instead of the built-in one. */
  logo?: string;
  /** The accent color in each color scheme, instead of the built-in one. */
  accent?: { light: string; dark: string };
  /** Links in the header, after those of the site. */
  headerLinks: readonly HeaderLink[];
  /** The text of the footer, instead of the license. */
  footer?: string;
  /** Markdown files that follow the guides. */
  pages: readonly string[];
  /** Where files can be edited: the URL of `folder`, ending with a slash. */
  editUrl?: string;
  /** The folder of the configuration. */
  folder: string;
  /** The OpenAPI Overlay that changes the document. */
  overlay?: string;
  versions: readonly SiteVersion[];
  /** The name of the version, if it is not the current one. */
  version?: string;
}

/** The installed package is below node_modules, where nobody looks for a site. */
const home = isPackaged ? process.cwd() : root;

/** The configuration of a site, by default without anything of a publisher. */
export const siteConfig = (config: Partial<SiteConfig> = {}): SiteConfig => ({
  base: "/",
  out: join(home, "dist/docs"),
  headerLinks: [],
  pages: [],
  versions: [],
  folder: home,
  ...config,
});
