import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};
const compressed = [".html", ".js", ".css", ".json", ".svg"];

/** Serves a folder as static hosts do: with compression. */
export async function serveFolder(folder: string): Promise<{ url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? "/", "http://site").pathname));
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    const content = await readFile(file).catch(() => undefined);
    if (content === undefined) return response.writeHead(404).end();
    const type = types[extname(file)] ?? "application/octet-stream";
    if (!compressed.includes(extname(file)))
      return response.writeHead(200, { "content-type": type }).end(content);
    return response
      .writeHead(200, { "content-type": type, "content-encoding": "gzip" })
      .end(gzipSync(content));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => server.close(),
  };
}
