import { expect, test } from "vitest";
import { hasBrowser, openBrowser } from "../../pages/browser.ts";
import { storeProgram } from "./elsewhere.ts";

test.skipIf(!hasBrowser)("the store in memory runs in a browser", async () => {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    const status = await page.evaluate(`${await storeProgram()}; deliver()`);
    expect(status).toBe("delivered");
  } finally {
    await browser.close();
  }
});
