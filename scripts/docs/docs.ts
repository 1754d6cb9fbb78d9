import { displayPath } from "../../lib/files.ts";
import { printLine } from "../../lib/print.ts";
import { usageError } from "../../lib/user-error.ts";
import { buildSite } from "./build.ts";
import { loadSiteConfig, type SiteConfig, siteConfig, unsafeOutput } from "./config/site-config.ts";
import { pagesOf } from "./page.ts";
import { checkPort, serveSite } from "./serve.ts";

export interface DocsOptions {
  serve?: boolean;
  port: number;
  host: string;
  base?: string;
  config?: string;
}

/** Builds the reference site, by default into `dist/docs`; with `serve`, serves it until interrupted. */
export async function runDocs({ serve, port, host, ...options }: DocsOptions): Promise<number> {
  if (serve === true) await checkPort({ host, port });
  const config = configOf(options);
  const { base } = config;
  const start = performance.now();
  const site = await buildSite(config);
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  printLine(`Built ${pagesOf(site).length} pages into ${displayPath(config.out)} in ${seconds} s`);
  for (const note of site.notes ?? []) printLine(`Note: ${note}`);
  if (serve !== true) {
    printLine("View it with --serve, or copy the folder to a web server.");
    return 0;
  }
  const server = await serveSite({ folder: config.out, base, port, host });
  printLine(`Serving the site at ${server.url}`);
  await server.closed;
  return 0;
}

function configOf({ base, config }: Pick<DocsOptions, "base" | "config">): SiteConfig {
  const loaded = config === undefined ? siteConfig() : loadSiteConfig(config);
  const [problem] = config === undefined ? unsafeOutput(loaded, []) : [];
  if (problem !== undefined)
    throw usageError(`the output folder ${problem.message}`, "Give --config a file with the property out.");
  if (base === undefined || base === loaded.base) return loaded;
  if (loaded.siteUrl === undefined) return { ...loaded, base };
  throw usageError(`--base ${base} differs from the path of siteUrl ${loaded.siteUrl}`, "Omit --base.");
}
