import { createRequire } from "node:module";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { operations } from "../../../generated/operations.ts";
import { hasBrowser, openBrowser } from "../../sandbox/pages/browser.ts";
import { openSitePage, paths, siteUrl, tryIt, urlOf } from "./visit.ts";

const inBrowser = test.skipIf(!hasBrowser);
const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

let browser: Browser;

beforeAll(async () => {
  if (hasBrowser) browser = await openBrowser();
});
afterAll(() => browser?.close());

const openPage = (path: string, options?: BrowserContextOptions): Promise<Page> =>
  openSitePage(browser, path, options);

inBrowser("every operation has a button that is only there with JavaScript", async () => {
  const page = await openPage("");
  const plain = await openPage("", { javaScriptEnabled: false });
  const pages = paths.filter((path) => path.startsWith("operations/"));
  expect(pages).toHaveLength(Object.keys(operations).length);
  for (const path of pages) {
    await page.goto(urlOf(path));
    expect(await tryIt(page).isVisible(), path).toBe(true);
    await plain.goto(urlOf(path));
    expect(await tryIt(plain).count(), path).toBe(0);
  }
});

const views: [name: string, options: BrowserContextOptions][] = [
  ["at 1440 px, light", { viewport: { width: 1440, height: 900 }, colorScheme: "light" }],
  ["at 1440 px, dark", { viewport: { width: 1440, height: 900 }, colorScheme: "dark" }],
  ["at 1200 px", { viewport: { width: 1200, height: 900 }, colorScheme: "light" }],
  ["at 768 px", { viewport: { width: 768, height: 1000 }, colorScheme: "dark" }],
  ["at 390 px, light", { viewport: { width: 390, height: 844 }, colorScheme: "light" }],
  ["at 390 px, dark", { viewport: { width: 390, height: 844 }, colorScheme: "dark" }],
];

for (const [name, options] of views)
  inBrowser(`the sandbox sends a message ${name}: accessible, and without another host`, async () => {
    const page = await openPage("operations/send-email", options);
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await tryIt(page).click();
    await page.locator(".bench-bar .state.good").waitFor();
    await page.locator(".bench").getByRole("button", { name: "Send" }).click();
    await expect.poll(() => page.locator("#try-response").innerText()).toContain("202 Accepted");
    await page.locator(".outbox summary").first().click();
    await page.locator(".outbox .pairs").waitFor();
    expect(requests.filter((url) => !url.startsWith(siteUrl) && !url.startsWith("data:"))).toEqual([]);
    await page.addScriptTag({ path: axe });
    const found = await page.evaluate<{ problems: string[]; overflow: number }>(`(async () => {
      const { violations } = await axe.run({ exclude: ["header"] }, { runOnly: ${JSON.stringify(tags)} });
      const { scrollWidth, clientWidth } = document.documentElement;
      const problems = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 200)));
      return { problems, overflow: scrollWidth - clientWidth };
    })()`);
    expect(found).toEqual({ problems: [], overflow: 0 });
  });

inBrowser("an error links to its row on the page of errors", async () => {
  const page = await openPage("operations/get-me");
  await tryIt(page).click();
  await page.locator(".bench-bar .state.good").waitFor();
  await page.getByLabel("API key").selectOption("");
  await page.locator(".bench").getByRole("button", { name: "Send" }).click();
  await page.getByRole("link", { name: "What 401 unauthorized means" }).click();
  await page.waitForURL("**/errors/#401-unauthorized");
  expect(await page.locator("[id='401-unauthorized']").count()).toBe(1);
});

inBrowser("the keyboard is enough", async () => {
  const page = await openPage("operations/send-email");
  await tryIt(page).focus();
  await page.keyboard.press("Enter");
  await page.locator(".bench-bar .state.good").waitFor();
  await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Sandbox");
  const focused = () =>
    page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.textContent");
  for (let tabs = 0; tabs < 20 && (await focused()) !== "Request body"; tabs += 1)
    await page.keyboard.press("Tab");
  await page.keyboard.press("Control+Enter");
  await expect.poll(() => page.locator("#try-response").innerText()).toContain("202 Accepted");
  await page.getByRole("button", { name: "Close the sandbox" }).press("Enter");
  expect(await page.locator(".bench").count()).toBe(0);
  expect(await focused()).toBe("Try it");
});

inBrowser("Escape closes the sandbox", async () => {
  const page = await openPage("operations/get-me");
  await tryIt(page).click();
  await page.locator(".bench-bar .state.good").waitFor();
  await page.keyboard.press("Escape");
  expect(await page.locator(".bench").count()).toBe(0);
});

inBrowser("on a phone the sandbox begins with the request", async () => {
  const page = await openPage("operations/send-email", { viewport: { width: 390, height: 844 } });
  await page.locator(".try-bar button").click();
  await page.locator(".bench-bar .state.good").waitFor();
  const send = page.locator(".bench").getByRole("button", { name: "Send" });
  const { y = -1 } = (await send.boundingBox()) ?? {};
  expect(y).toBeGreaterThan(0);
  expect(y).toBeLessThan(844);
});

inBrowser("failures are added in numbers that the browser accepts, and cleared", async () => {
  const page = await openPage("operations/get-me");
  await tryIt(page).click();
  await page.locator(".bench-bar .state.good").waitFor();
  const failures = page.locator("#try-failures");
  await page.locator("#try-times").fill("0");
  await failures.getByRole("button", { name: "Add" }).click();
  await page.locator("#try-times").fill("9");
  await failures.getByRole("button", { name: "Add" }).click();
  await expect.poll(() => failures.getByRole("status").innerText()).toBe("waiting: 503 × 9");
  await failures.getByRole("button", { name: "Clear" }).click();
  await expect.poll(() => failures.getByRole("status").innerText()).toBe("none waiting");
  await page.locator(".bench").getByRole("button", { name: "Send" }).click();
  await expect.poll(() => page.locator("#try-response").innerText()).toContain("200 OK");
});

inBrowser("the outbox shows the scheduled message of the demo account, and that it is canceled", async () => {
  const page = await openPage("operations/cancel-email");
  await tryIt(page).click();
  await page.locator(".bench-bar .state.good").waitFor();
  const outbox = page.locator("#try-outbox");
  await expect
    .poll(() => outbox.innerText())
    .toMatch(/Nothing was sent yet\. The demo accounts start with:\s+Our spring bread is here\s+scheduled/);
  await page.locator(".bench").getByRole("button", { name: "Send" }).click();
  await expect.poll(() => page.locator("#try-response").innerText()).toContain("200 OK");
  await expect.poll(() => outbox.innerText()).toMatch(/Our spring bread is here\s+canceled/);
});

inBrowser("the first page opens the request that it shows", async () => {
  const page = await openPage("");
  const shown = await page.locator(".exchange > .request pre code").innerText();
  await tryIt(page).click();
  await page.locator(".bench-bar .state.good").waitFor();
  const body = await page.getByLabel("Request body").innerText();
  expect(JSON.parse(body)).toEqual(JSON.parse(/-d '([^']+)'/.exec(shown)?.[1] ?? ""));
});

for (const width of [1200, 1440, 1920])
  inBrowser(`the sandbox beside the first page covers nothing at ${width} px`, async () => {
    const page = await openPage("", { viewport: { width, height: 900 } });
    await tryIt(page).click();
    await page.locator(".bench-bar .state.good").waitFor();
    const boxOf = (selector: string) => page.locator(selector).first().boundingBox();
    const lead = await boxOf(".sl-markdown-content > p");
    const links = await boxOf(".go a");
    expect(links?.y).toBeGreaterThanOrEqual((lead?.y ?? 0) + (lead?.height ?? 0));
    expect((await boxOf("[data-try] button"))?.height).toBeLessThan(40);
  });

inBrowser("JSON in the sandbox has the colors of the code on the page", async () => {
  const page = await openPage("operations/send-email", { colorScheme: "light" });
  await tryIt(page).click();
  await page.locator(".bench-bar .state.good").waitFor();
  await page.locator(".bench").getByRole("button", { name: "Send" }).click();
  await page.locator("#try-response .k").first().waitFor();
  const colorOf = (selector: string, part = "") =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}'), '${part}').color`);
  const onPage = '.panel.response pre[data-language="json"] .ec-line:nth-child(2) .indent + span';
  expect(await colorOf("#try-response .k")).toBe(await colorOf(onPage));
  expect(await colorOf("#try-response .k")).toBe("rgb(11, 95, 107)");
  expect(await colorOf(".bench .edit", "::highlight(try-k)")).toBe("rgb(143, 211, 220)");
});

inBrowser("on a phone, one button to try a request is visible at a time", async () => {
  const page = await openPage("operations/send-email", { viewport: { width: 390, height: 844 } });
  const bar = page.locator(".try-bar button");
  await tryIt(page).scrollIntoViewIfNeeded();
  await expect.poll(() => bar.isVisible()).toBe(false);
  await page.evaluate("scrollTo(0, 0)");
  await expect.poll(() => bar.isVisible()).toBe(true);
});
