import { displayPath } from "../common/display-path.ts";
import { buildSite } from "./build.ts";
import { siteConfig } from "./config.ts";
import { checkPort, serveSite } from "./serve.ts";
import { pagesOf } from "./site.ts";

/** The options of the command `docs`. */
export interface DocsOptions {
  serve?: boolean;
  port: number;
  host: string;
  base: string;
}

/** Builds the reference site into `dist/docs`; with `serve`, serves it until interrupted. */
export async function runDocs({ serve, port, host, base }: DocsOptions): Promise<number> {
  if (serve === true) await checkPort({ host, port });
  const config = siteConfig({ base });
  const start = performance.now();
  const site = await buildSite(config);
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  console.log(`Built ${pagesOf(site).length} pages into ${displayPath(config.out)} in ${seconds} s`);
  if (serve !== true) {
    console.log("View it with `npm run docs -- --serve`, or copy the folder to a web server.");
    return 0;
  }
  const server = await serveSite({ folder: config.out, base, port, host });
  console.log(`Serving the site at ${server.url}`);
  await server.closed;
  return 0;
}
