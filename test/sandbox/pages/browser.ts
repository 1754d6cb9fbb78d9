import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium } from "playwright-core";
import type { TestSite } from "../control/test-site.ts";
import { isPackaged, packagedChromium } from "./packaged-chromium.ts";

/** The path of an installed Chromium: CHROMIUM, or where common systems install it. */
const installed = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && existsSync(path));

export const hasBrowser = installed !== undefined || isPackaged;
if (!hasBrowser)
  console.warn(
    "Chromium was not found, and its npm package has none for this machine: tests in a browser are skipped. Install it, or set CHROMIUM to its path.",
  );

/** Starts the browser headless, without background requests: the installed one, or that of the npm package. */
export const openBrowser = async (options: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    ...(installed === undefined ? await packagedChromium() : { executablePath: installed }),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...options,
    ],
  });

/** Serves the pages on a local port. */
export async function serve(site: TestSite): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    const chunks: Uint8Array[] = [];
    request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    request.on("end", async () => {
      const headers = request.headers as Record<string, string>;
      const result = await site
        .request(request.method ?? "", request.url ?? "", { body: Buffer.concat(chunks), headers })
        .catch(() => ({ status: 404, headers: {}, body: "" }));
      response.writeHead(result.status, result.headers).end(result.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
