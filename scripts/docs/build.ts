import { join } from "node:path";
import type { AstroInlineConfig } from "astro";
import { UserError } from "../../lib/user-error.ts";
import { root } from "../common/paths.ts";
import { readBundle } from "../document/read-bundle.ts";
import { astroConfig } from "./astro.ts";
import type { SiteConfig } from "./config.ts";
import { replaceFolder, withTemporaryFolder } from "./folders.ts";
import { composeSite, type Site } from "./site.ts";
import { stageSite } from "./stage.ts";

/**
 * Builds the site and replaces the output folder once the build is complete.
 *
 * @throws UserError if a source is missing or invalid, or Astro fails
 */
export async function buildSite(config: SiteConfig): Promise<Site> {
  const document = await readBundle();
  const site = await composeSite(document);
  await withTemporaryFolder(join(root, ".build"), async (stage) => {
    await stageSite(document, site, stage, config);
    await runAstro(astroConfig(document, site, { stage, config }));
    await replaceFolder(join(stage, "built"), config.out, stage);
  });
  return site;
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
