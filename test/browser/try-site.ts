import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeTry } from "../../scripts/docs/sandbox/try.ts";
import { readBundle } from "../../scripts/document/read-bundle.ts";

/** A site with the panel alone, below a base path. */
export interface TrySite {
  /** Ends with a slash. */
  url: string;
  close(): void;
}

const types: Record<string, string> = { html: "text/html", js: "text/javascript", css: "text/css" };

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Try it</title><link rel="icon" href="data:,">
<script type="module" src="../../try/button.js"></script></head>
<body><div class="shell"><main><h1>Send a message</h1><div class="panel-foot" data-try="sendEmail"></div></main></div></body></html>`;

/** Builds the scripts and serves them with a page that has a button. */
export async function startTrySite(): Promise<TrySite> {
  const folder = mkdtempSync(join(tmpdir(), "try-"));
  await writeTry(await readBundle(), join(folder, "reference/try"));
  writeFileSync(join(folder, "page.html"), page);
  const server = createServer(({ url = "" }, response) => {
    const [path = ""] = url.split("?");
    const name = path.endsWith("/") ? "page.html" : path;
    const type = types[name.split(".").at(-1) ?? ""] ?? "application/json";
    response.writeHead(200, { "content-type": type }).end(readFileSync(join(folder, name)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/reference/operations/send-email/`,
    close() {
      server.close();
      server.closeAllConnections();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
