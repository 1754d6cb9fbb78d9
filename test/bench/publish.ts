import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";

const mediaTypes: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

/** Serves a folder as static hosts do: compressed, and cached for good if the file name has a hash. */
export async function publish(folder: string): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const pathname = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname);
    const path = join(folder, normalize(pathname.endsWith("/") ? `${pathname}index.html` : pathname));
    const body = await readFile(path).catch(() => undefined);
    if (body === undefined) {
      response.writeHead(404, { "content-type": "text/html" }).end("not found");
      return;
    }
    const type = mediaTypes[extname(path)] ?? "application/octet-stream";
    const isText = extname(path) in mediaTypes && !type.startsWith("font/");
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
