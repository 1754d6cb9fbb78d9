import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { openBrowser } from "../../sandbox/pages/browser.ts";
import { urlOf } from "./visit.ts";

/** Opens a browser for the tests of a file. @returns a function that does something on a page of the site, in a context of its own */
export function inBrowser() {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  return async <Result>(
    path: string,
    work: (page: Page) => Promise<Result>,
    options: Parameters<Browser["newContext"]>[0] = {},
  ): Promise<Result> => {
    const context = await browser.newContext(options);
    try {
      const page = await context.newPage();
      await page.goto(urlOf(path));
      return await work(page);
    } finally {
      await context.close();
    }
  };
}
