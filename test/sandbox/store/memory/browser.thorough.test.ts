import { expect, test } from "vitest";
import { browserPath, openBrowser } from "../../pages/browser.ts";
import { storeProgram } from "./elsewhere.ts";

if (browserPath === undefined)
  console.warn("Chromium was not found, so the store in memory is not tested in a browser.");

test.skipIf(browserPath === undefined)("the store in memory runs in a browser", async () => {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    const status = await page.evaluate(`${await storeProgram()}; deliver()`);
    expect(status).toBe("delivered");
  } finally {
    await browser.close();
  }
});
