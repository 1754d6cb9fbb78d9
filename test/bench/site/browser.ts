import { freePort } from "../../free-port.ts";
import { openBrowser } from "../../sandbox/pages/browser.ts";

/** Starts Chromium with a port for its protocol, which Lighthouse uses instead of Playwright. */
export async function startBrowser(): Promise<{ port: number; close(): Promise<void> }> {
  const port = await freePort();
  const browser = await openBrowser([`--remote-debugging-port=${port}`]);
  return { port, close: () => browser.close() };
}
