import { displayPath } from "./display-path.ts";
import { buildSite, siteFolder } from "./docs/build.ts";
import { checkPlace, serveSite } from "./docs/serve.ts";
import { pagesOf } from "./docs/site.ts";

/** The options of the verb `docs`. */
export interface DocsOptions {
  /** Show the site after it has been built. */
  serve?: boolean;
  port: number;
  host: string;
  base: string;
}

/** Builds the reference site into `dist/docs`, says so, and with `serve` shows it until it is interrupted. */
export async function runDocs({ serve, port, host, base }: DocsOptions): Promise<number> {
  if (serve === true) await checkPlace({ host, port });
  const start = performance.now();
  const site = await buildSite({ out: siteFolder, base });
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  console.log(`${pagesOf(site).length} pages in ${displayPath(siteFolder)}, built in ${seconds} s`);
  if (serve !== true) {
    console.log("Show it with `npm run docs -- --serve`, or copy the folder to any server of files.");
    return 0;
  }
  const server = await serveSite({ folder: siteFolder, base, port, host });
  console.log(`The reference is at ${server.url}`);
  await server.closed;
  return 0;
}
