import { rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AstroInlineConfig } from "astro";
import { UserError } from "../../lib/user-error.ts";
import { baseUrlOf } from "../document/base-url.ts";
import { readBundle } from "../document/read-bundle.ts";
import { astroConfig } from "./astro.ts";
import { publishedDocument } from "./config/document.ts";
import type { SiteConfig } from "./config/site-config.ts";
import { replaceFolder, withTemporaryFolder } from "./folders.ts";
import type { Page } from "./pages/page.ts";
import { withoutRemovedPages } from "./removed-pages.ts";
import { composeSite, type Site } from "./site.ts";
import { stageSite } from "./stage.ts";

/** A built version of the site. */
interface Built {
  site: Site;
  /** Its folder, absolute. */
  folder: string;
}

/**
 * Builds the site with its earlier versions, and replaces the output folder once the build is complete.
 *
 * @throws UserError if a source is missing or invalid, or Astro fails
 */
export async function buildSite(config: SiteConfig): Promise<Site> {
  // Beside the output folder: a folder can only be moved within a disk.
  return withTemporaryFolder(dirname(config.out), async (folder) => {
    const current = await buildVersion(config, join(folder, "current"));
    for (const { name } of config.versions) {
      const earlier = await buildVersion(versionConfig(config, name), join(folder, `version-${name}`));
      await rename(earlier.folder, join(current.folder, name));
    }
    await replaceFolder(current.folder, config.out, folder);
    return current.site;
  });
}

const versionConfig = (config: SiteConfig, version: string): SiteConfig => ({
  ...config,
  version,
  base: `${config.base}${version}/`,
  ...(config.siteUrl !== undefined && { siteUrl: `${config.siteUrl}${version}/` }),
});

async function buildVersion(config: SiteConfig, stage: string): Promise<Built> {
  const document = await publishedDocument(config);
  const bundle = await readBundle();
  const complete = withoutRemovedPages(await composeSite(document, config), document, bundle);
  const site = withBaseUrl(complete, baseUrlOf(bundle), config.baseUrl);
  await stageSite(document, site, stage, config);
  await runAstro(astroConfig(document, site, { stage, config }));
  return { site, folder: join(stage, "built") };
}

/** Guides are written with the base URL of the bundle. */
function withBaseUrl({ start, sections, ...others }: Site, written: string, baseUrl = written): Site {
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
