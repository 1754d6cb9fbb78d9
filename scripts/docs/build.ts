import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AstroInlineConfig } from "astro";
import { UserError } from "../../lib/user-error.ts";
import { root } from "../common/paths.ts";
import { readBundle } from "../document/read-bundle.ts";
import { baseUrlOf } from "../document/requests.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { astroConfig } from "./astro.ts";
import { publishedDocument } from "./config/document.ts";
import type { SiteConfig } from "./config/site-config.ts";
import { replaceFolder, withTemporaryFolder } from "./folders.ts";
import { withoutRemovedPages } from "./links.ts";
import type { Page } from "./page.ts";
import { pagesOf, type Site } from "./page.ts";
import { replaceSearch } from "./search/entries.ts";
import { composeSite } from "./site.ts";
import { stageSite } from "./stage.ts";
import { contrastNotes } from "./theme.ts";

/** A version of the site before it is built. */
interface Version {
  document: OpenApiDocument;
  site: Site;
  config: SiteConfig;
}

/**
 * Builds the site with its earlier versions, and replaces the output folder once the build is complete.
 *
 * @throws UserError if a source is missing or invalid, the output folder is too far away, or Astro fails
 */
export async function buildSite(config: SiteConfig): Promise<Site> {
  rejectFarOutput(config.out, root);
  // Beside the output folder: a folder can only be moved within a disk.
  return withTemporaryFolder(dirname(config.out), async (folder) => {
    const configs = [config, ...config.versions.map(({ name }) => versionConfig(config, name))];
    const versions = await Promise.all(configs.map(composeVersion));
    // The menu of versions leads to the same page of another version.
    const paths = versions.map(({ site }) => pagesOf(site).map(({ path }) => path));
    const current = await buildVersion(versions[0] as Version, join(folder, "current"), paths);
    for (const { name } of config.versions) rejectFolderOf(current, name);
    for (const version of versions.slice(1)) {
      const { version: name = "" } = version.config;
      await rename(await buildVersion(version, join(folder, `version-${name}`), paths), join(current, name));
    }
    replaceFolder(current, config.out, folder);
    const { site } = versions[0] as Version;
    return { ...site, notes: [...(site.notes ?? []), ...contrastNotes(config)] };
  });
}

/**
 * Astro finds no components if the folder that it builds in and the packages have no folder in common but the root of the disk.
 *
 * @throws UserError with exit code 2
 */
export function rejectFarOutput(out: string, packages: string): void {
  const first = (path: string): string | undefined => path.split(/[\\/]/)[1];
  if (first(out) === first(packages)) return;
  throw new UserError(`the output folder ${out} and the package in ${packages} have no folder in common`, {
    hint: "Put the configuration into the folder where the package is installed, or set `out` to a folder in it.",
    exitCode: 2,
  });
}

/** A version is published in a folder of its name. */
function rejectFolderOf(site: string, name: string): void {
  if (existsSync(join(site, name)))
    throw new UserError(`the version ${name} has the name of a page or folder of the site`, {
      hint: "Give it another name, such as v1.",
      exitCode: 2,
    });
}

const versionConfig = (config: SiteConfig, version: string): SiteConfig => ({
  ...config,
  version,
  base: `${config.base}${version}/`,
  ...(config.siteUrl !== undefined && { siteUrl: `${config.siteUrl}${version}/` }),
});

async function composeVersion(config: SiteConfig): Promise<Version> {
  const document = await publishedDocument(config);
  const bundle = await readBundle();
  const complete = withoutRemovedPages(await composeSite(document, config), document, bundle);
  return { document, site: withBaseUrl(complete, baseUrlOf(bundle), baseUrlOf(document)), config };
}

/** @returns the folder of the built version, absolute */
async function buildVersion(
  { document, site, config }: Version,
  stage: string,
  versionPaths: readonly string[][],
): Promise<string> {
  await stageSite(document, site, stage, config, versionPaths);
  await runAstro(astroConfig(document, site, { stage, config }));
  await replaceSearch(
    document,
    stage,
    pagesOf(site).map(({ path }) => path),
  );
  return join(stage, "built");
}

/** Guides are written with the base URL of the bundle. */
export function withBaseUrl({ start, sections, ...others }: Site, written: string, baseUrl: string): Site {
  const replaced = (page: Page): Page => ({ ...page, text: page.text.replaceAll(written, baseUrl) });
  return {
    ...others,
    start: replaced(start),
    sections: sections.map((section) => ({ ...section, pages: section.pages.map(replaced) })),
  };
}

async function runAstro(config: AstroInlineConfig): Promise<void> {
  // Starlight omits the search unless NODE_ENV is "production"; tests set another value.
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = "production";
  process.env.ASTRO_TELEMETRY_DISABLED = "1";
  try {
    const { build } = await import("astro");
    await build(config);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UserError(`cannot build the site: ${reason}`, { cause });
  } finally {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
}
