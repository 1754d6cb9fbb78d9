import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";

const mediaTypes: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

/** Serves a folder as static hosts do: compressed, and cached for good if the file name has a hash. */
export async function publish(folder: string): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const path = join(folder, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
    if (!existsSync(path)) {
      response.writeHead(404, { "content-type": "text/html" }).end("not found");
      return;
    }
    const body = await readFile(path);
    const type = mediaTypes[extname(path)] ?? "application/octet-stream";
    const isText = !type.startsWith("font/");
    response
      .writeHead(200, {
        "content-type": type,
        "cache-control": pathname.includes("/_astro/") ? "max-age=31536000, immutable" : "max-age=600",
        ...(isText && { "content-encoding": "gzip" }),
      })
      .end(isText ? gzipSync(body) : body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
