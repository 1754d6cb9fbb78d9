import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { openBrowser } from "../../sandbox/pages/browser.ts";

/** Starts Chromium with a port for its protocol, which Lighthouse uses instead of Playwright. */
export async function startBrowser(): Promise<{ port: number; close(): Promise<void> }> {
  const port = await freePort();
  const browser = await openBrowser([`--remote-debugging-port=${port}`]);
  return { port, close: () => browser.close() };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
