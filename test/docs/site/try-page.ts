import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { urlOf } from "./visit.ts";

export async function openSitePage(
  browser: Browser,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(urlOf(path));
  return page;
}

/** The button that opens the sandbox. */
export const tryIt = (page: Page): Locator => page.locator("[data-try] button").first();
