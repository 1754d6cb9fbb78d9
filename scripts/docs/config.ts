import { join } from "node:path";
import { root } from "../common/paths.ts";

/** A link in the header. */
export interface HeaderLink {
  title: string;
  url: string;
}

/** What a publisher decides about the site. Paths of files and folders are absolute. */
export interface SiteConfig {
  /** The path that the site is published under, with slashes around it: `/` or `/reference/`. */
  base: string;
  /** The output folder, on the disk of the project. Its content is replaced. */
  out: string;
  /** The public URL of the site, ending with a slash. */
  siteUrl?: string;
  /** The image in the header and the icon of the browser tab, instead of the built-in one. */
  logo?: string;
  /** The accent color in each color scheme, instead of the built-in one. */
  accent?: { light: string; dark: string };
  /** Links in the header, after those of the site. */
  headerLinks: readonly HeaderLink[];
  /** The text of the footer, instead of the license. */
  footer?: string;
}

/** The default output folder. */
const siteFolder = join(root, "dist/docs");

/** The configuration of a site, by default without anything of a publisher. */
export const siteConfig = (config: Partial<SiteConfig> = {}): SiteConfig => ({
  base: "/",
  out: siteFolder,
  headerLinks: [],
  ...config,
});
