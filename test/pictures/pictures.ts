import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { openBrowser } from "../sandbox/pages/browser.ts";
import { reportWithFailure } from "./report.ts";

/** In bytes. */
export const mostBytes = 150_000;

const schemes = ["light", "dark"] as const;

/**
 * Writes the pictures of the README: a page of the site with "Try it", and a report with a failure, in both color schemes.
 * @param siteUrl of the built site, ending with a slash
 * @returns the paths of the files
 */
export async function writePictures(siteUrl: string, folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const report = await reportWithFailure();
  const shows: Record<string, (page: Page) => Promise<unknown>> = {
    "try-it": (page) => showTryIt(page, siteUrl),
    report: (page) => page.setContent(report),
  };
  const browser = await openBrowser();
  const files: string[] = [];
  try {
    for (const [name, show] of Object.entries(shows))
      for (const colorScheme of schemes) {
        // GitHub shows pictures 838 px wide: text of a wider page would be too small.
        const viewport = { width: 1100, height: 760 };
        const page = await browser.newPage({ viewport, colorScheme, deviceScaleFactor: 1.5 });
        await show(page);
        const file = join(folder, `${name}-${colorScheme}.webp`);
        await writeFile(file, await pictureOf(page));
        files.push(file);
        await page.close();
      }
  } finally {
    await browser.close();
  }
  return files;
}

/** A message that was sent and delivered. */
async function showTryIt(page: Page, siteUrl: string): Promise<void> {
  await page.goto(`${siteUrl}operations/send-email/`);
  await page.locator("[data-try] button").first().click();
  const panel = page.locator("try-panel");
  await panel.getByText("running").waitFor();
  await panel.getByRole("button", { name: "Send" }).click();
  await panel.getByRole("button", { name: "Next message" }).click();
  await panel.getByText("delivered").waitFor();
  await panel.getByText("To ada@readers.example").first().click();
  await panel.locator("iframe").waitFor();
}

/** WebP, which Playwright does not write itself. */
async function pictureOf(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 80 });
  return Buffer.from(data, "base64");
}
