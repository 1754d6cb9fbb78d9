import { expect, test } from "vitest";
import { operationsOf } from "../../../scripts/document/operations.ts";
import { readBundle } from "../../../scripts/document/read-bundle.ts";
import { kebab } from "./facts/fact.ts";
import { inBrowser } from "./opened.ts";
import { siteUrl } from "./visit.ts";

const opened = inBrowser();
const document = await readBundle();

test("search finds the page of every field, error type, limit and operation", async () => {
  const fields = new Set(
    Object.values(document.components.schemas ?? {}).flatMap(({ properties = {} }) =>
      Object.keys(properties),
    ),
  );
  const types = new Set(document["x-errors"].flatMap(({ type }) => type ?? []));
  const terms = [
    ...[...fields].map((term) => ({ term, page: "(operations|objects)/" })),
    ...[...types].map((term) => ({ term, page: "errors/" })),
    ...Object.keys(document["x-limits"]).map((term) => ({ term, page: "limits/" })),
    ...operationsOf(document).map(({ id }) => ({ term: id, page: `operations/${kebab(id)}/` })),
  ];
  const missing = await opened("", (page) =>
    page.evaluate<string[]>(`(async () => {
      const pagefind = await import("${siteUrl}pagefind/pagefind.js");
      const missing = [];
      for (const { term, page } of ${JSON.stringify(terms)}) {
        const { results } = await pagefind.search(term);
        const found = await Promise.all(results.slice(0, 10).map(async (result) => await result.data()));
        const wanted = new RegExp("^${new URL(siteUrl).pathname}" + page);
        const isFound = found.some(({ url, content }) => wanted.test(url) && content.includes(term));
        if (!isFound) missing.push(term);
      }
      return missing;
    })()`),
  );
  expect(terms.length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});

test("the search works with the keyboard", async () => {
  await opened("", async (page) => {
    // Starlight loads the search when the browser is idle; a headless one may not be idle until the mouse moves.
    let row = 0;
    await expect
      .poll(async () => {
        row += 1;
        await page.mouse.move(10, row);
        return page.locator("#starlight__search input").count();
      })
      .toBe(1);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("not_reschedulable");
    // After slow typing, the results of the first letters come first.
    await page
      .locator("#starlight__search .pagefind-ui__message", {
        hasText: /results? for not_reschedulable/,
      })
      .waitFor();
    await expect
      .poll(async () => {
        await page.keyboard.press("Tab");
        return page.evaluate("document.activeElement.matches('.pagefind-ui__result-link')");
      })
      .toBe(true);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname !== new URL(siteUrl).pathname);
    await expect.poll(() => page.locator("main").textContent()).toContain("not_reschedulable");
  });
});

test("the arrow keys move from the search field through the results and back", async () => {
  await opened("", async (page) => {
    const input = page.locator("#starlight__search input");
    let row = 0;
    await expect
      .poll(async () => {
        row += 1;
        await page.mouse.move(10, row);
        return input.count();
      })
      .toBe(1);
    await page.keyboard.press("Control+k");
    await input.fill("suppressed");
    const links = page.locator("#starlight__search .pagefind-ui__result-link");
    await links.nth(1).waitFor();
    const isFocused = (one: typeof input) => one.evaluate((node) => node.matches(":focus"));
    await page.keyboard.press("ArrowUp");
    expect(await isFocused(input)).toBe(true);
    await page.keyboard.press("ArrowDown");
    expect(await isFocused(links.nth(0))).toBe(true);
    await page.keyboard.press("ArrowDown");
    expect(await isFocused(links.nth(1))).toBe(true);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    expect(await isFocused(input)).toBe(true);
  });
});

test("the dialog of the search takes what is typed before its field is there", async () => {
  await opened("", async (page) => {
    // The field comes when the browser is idle, which it is here after the typing.
    await page.addInitScript("requestIdleCallback = (work) => setTimeout(work, 1500)");
    await page.reload();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("suppressed");
    const input = page.locator("#starlight__search input");
    expect(await input.count()).toBe(0);
    await expect.poll(() => input.inputValue()).toBe("suppressed");
    expect(await input.evaluate((one) => one.matches(":focus"))).toBe(true);
    await page.locator("#starlight__search .pagefind-ui__message", { hasText: "for suppressed" }).waitFor();
  });
});
