import { deepStrictEqual } from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { root } from "../../../scripts/common/paths.ts";
import { buildSite } from "../../../scripts/docs/build.ts";
import { siteConfig } from "../../../scripts/docs/config/site-config.ts";
import { pagesOf } from "../../../scripts/docs/page.ts";
import { serveSite } from "../../../scripts/docs/serve.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The URL of the site, ending with a slash. */
    siteUrl: string;
    /** The folder of the site, absolute. */
    siteFolder: string;
    /** The paths of its pages, without slashes at their ends. */
    pagePaths: string[];
    /** Those for builders. */
    builderPaths: string[];
  }
}

/** Builds the site once for all tests, with its own base path, and serves it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await mkdir(join(root, ".build"), { recursive: true });
  const parent = await mkdtemp(join(root, ".build/check-"));
  const folder = join(parent, "reference");
  const base = "/reference/";
  const environment = { ...process.env };
  const site = await buildSite(siteConfig({ out: folder, base }));
  deepStrictEqual({ ...process.env }, environment);
  const server = await serveSite({ folder, base, port: 0, host: "127.0.0.1" });
  project.provide("siteUrl", server.url);
  project.provide("siteFolder", folder);
  project.provide(
    "pagePaths",
    pagesOf(site).map(({ path }) => path),
  );
  const builders = site.sections.filter(({ area }) => area === "builders").flatMap(({ pages }) => pages);
  project.provide(
    "builderPaths",
    builders.map(({ path }) => path),
  );
  return async () => {
    await server.close();
    await rm(parent, { recursive: true, force: true });
  };
}
