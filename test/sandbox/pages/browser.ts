import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium } from "playwright-core";
import type { TestFront } from "../front-parts.ts";

/** The browser of the machine: the one that CHROMIUM names, or where Debian and others put it. Undefined where there is none. */
export const browserPath = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && existsSync(path));

/** Starts the browser without a window, and without calls of its own to anywhere. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    ...(browserPath === undefined ? {} : { executablePath: browserPath }),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });

/** A front behind a socket of this machine. */
export async function serve(front: TestFront): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    const chunks: Uint8Array[] = [];
    request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    request.on("end", async () => {
      const headers = request.headers as Record<string, string>;
      const answer = await front
        .ask(request.method ?? "", request.url ?? "", { body: Buffer.concat(chunks), headers })
        .catch(() => ({ status: 404, headers: {}, body: "" }));
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
