import { join } from "node:path";
import type { AstroInlineConfig } from "astro";
import { UserError } from "../../lib/user-error.ts";
import { readBundle } from "../document/read-bundle.ts";
import { root } from "../paths.ts";
import { astroConfig } from "./astro.ts";
import { inFolderOfItsOwn, putInPlace } from "./folders.ts";
import { composeSite, type Site } from "./site.ts";
import { stageSite } from "./stage.ts";

/** Where the site is written unless told otherwise, absolute. */
export const siteFolder = join(root, "dist/docs");

/** What to build. */
export interface BuildOptions {
  /** Where the site is written, absolute, on the disk of the project. What stood there is gone afterwards. */
  out: string;
  /** The path under which it is published, with slashes around it: `/` or `/reference/`. */
  base: string;
}

/**
 * Builds the whole site. It takes the place of the old one only once it is complete.
 *
 * @returns what the site consists of
 * @throws Failure when a source is missing or wrong, or a page cannot be built
 */
export async function buildSite({ out, base }: BuildOptions): Promise<Site> {
  const document = await readBundle();
  const site = await composeSite(document);
  await inFolderOfItsOwn(join(root, ".build"), async (stage) => {
    await stageSite(document, site, stage, base);
    await runAstro(astroConfig(document, site, { stage, base }));
    await putInPlace(join(stage, "built"), out, stage);
  });
  return site;
}

async function runAstro(config: AstroInlineConfig): Promise<void> {
  // With another NODE_ENV around it, such as a test's, Starlight would leave the search out.
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = "production";
  process.env.ASTRO_TELEMETRY_DISABLED = "1";
  try {
    const { build } = await import("astro");
    await build(config);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UserError(`the site could not be built: ${reason}`, { cause });
  } finally {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
}
