import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { openBrowser } from "../sandbox/pages/browser.ts";
import { reportWithFailure } from "./report.ts";

/** In bytes. */
export const mostBytes = 150_000;

const schemes = ["light", "dark"] as const;

/** The file with the text that each picture shows. A picture whose text has changed is stale. */
export const textFile = "texts.json";

/** What a picture shows, and its size. */
interface Shown {
  viewport: { width: number; height: number };
  show: (page: Page) => Promise<unknown>;
}

/**
 * Writes the pictures of the README: a page of the site with "Try it", and a report with a failure, in both color schemes.
 * @param siteUrl of the built site, ending with a slash
 * @returns the paths of the files, the last one with their texts
 */
export async function writePictures(siteUrl: string, folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const report = await reportWithFailure();
  // GitHub shows pictures 838 px wide: text of a wider page would be too small. On a narrower one than the first, "Try it" covers the page.
  const shows: Record<string, Shown> = {
    "try-it": { viewport: { width: 1440, height: 968 }, show: (page) => showTryIt(page, siteUrl) },
    report: { viewport: { width: 1100, height: 760 }, show: (page) => showReport(page, report) },
  };
  const browser = await openBrowser();
  const files: string[] = [];
  const texts: Record<string, string[]> = {};
  try {
    for (const [name, { viewport, show }] of Object.entries(shows))
      for (const colorScheme of schemes) {
        // The policy of the report allows no font.
        const page = await browser.newPage({
          viewport,
          colorScheme,
          deviceScaleFactor: 1.5,
          bypassCSP: true,
        });
        await show(page);
        const file = join(folder, `${name}-${colorScheme}.webp`);
        await writeFile(file, await pictureOf(page));
        files.push(file);
        texts[name] = await page.evaluate<string[]>(visibleText);
        await page.close();
      }
  } finally {
    await browser.close();
  }
  const file = join(folder, textFile);
  await writeFile(file, `${JSON.stringify(texts, null, 2)}\n`);
  return [...files, file];
}

/** The visible text of a page, a line for each block, without what has digits: times, ids and numbers differ in each run. */
const visibleText = `(() => {
  const blocks = new Map();
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const { currentNode: node } = nodes;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { parentElement: parent } = node;
    // What is clipped, scrolled away or covered is not hit.
    const isVisible = [...range.getClientRects()].some(({ left, top, width, height }) =>
      parent.contains(document.elementFromPoint(left + width / 2, top + height / 2)),
    );
    if (!isVisible) continue;
    const block = parent.closest("p, li, td, th, h1, h2, h3, a, button, summary, label, pre, div");
    blocks.set(block, (blocks.get(block) ?? "") + node.data);
  }
  return [...blocks.values()]
    .map((text) => text.replace(/^Run \\w+$/, "Run").replaceAll(/\\S*\\d\\S*|\\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun),|\\b[JFMASOND][a-z]{2} (?=[\\d GU])/g, "").replaceAll(/\\s+/g, " ").trim())
    .filter((text) => text !== "");
})()`;

/** A page with a message that was sent and delivered beside it. */
async function showTryIt(page: Page, siteUrl: string): Promise<void> {
  await page.goto(`${siteUrl}operations/send-email/`);
  await page.locator("[data-try] button").first().click();
  const panel = page.locator("try-panel");
  await panel.getByText("running").waitFor();
  await panel.getByRole("button", { name: "Send" }).click();
  await panel.getByRole("button", { name: "Next message" }).click();
  await panel.getByText("delivered").waitFor();
}

/** A report has the font of the system that shows it. This machine may have no font for programs, so its texts have that of the site. */
async function showReport(page: Page, report: string): Promise<void> {
  const name = "@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2";
  const font = await readFile(createRequire(import.meta.url).resolve(name), "base64");
  await page.setContent(report);
  await page.addStyleTag({
    content: `@font-face { font-family: Sans; font-weight: 100 900; src: url(data:font/woff2;base64,${font}); }
body { font-family: Sans; }`,
  });
  await page.evaluate("document.fonts.ready");
}

/** WebP, which Playwright does not write itself. */
async function pictureOf(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 80 });
  return Buffer.from(data, "base64");
}
