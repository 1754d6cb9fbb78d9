import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "../../sandbox/pages/browser.ts";
import { siteUrl, urlOf } from "./visit.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const operation = "operations/get-me";

test("a URL without the last slash leads to the page; a missing page has the navigation and links to others", async () => {
  const page = await browser.newPage();
  await page.goto(`${siteUrl}${operation}`);
  expect(page.url()).toBe(urlOf(operation));
  const response = await page.goto(`${siteUrl}no-such-page/`);
  expect(response?.status()).toBe(404);
  const sidebar = page.getByRole("navigation", { name: "Pages" });
  expect(await sidebar.getByRole("link").count()).toBeGreaterThan(20);
  await page.getByRole("main").getByRole("link", { name: "Overview" }).click();
  await page.waitForURL(siteUrl);
});

test("the page for a missing page adds the last slash if that leads to a page, and else loads once", async () => {
  const page = await browser.newPage();
  const notFound = await (await page.goto(`${siteUrl}no-such-page/`))?.body();
  let loads = 0;
  // A host that does not add the slash.
  await page.route(/(no-such-page|operations\/get-me)(\?.*)?$/, (route) => {
    loads += 1;
    return route.fulfill({ status: 404, contentType: "text/html", body: notFound ?? "" });
  });
  await page.goto(`${siteUrl}operations/get-me?a=1#responses`);
  await page.waitForURL(`${siteUrl}operations/get-me/?a=1#responses`);
  await page.goto(`${siteUrl}no-such-page`, { waitUntil: "networkidle" });
  expect(page.url()).toBe(`${siteUrl}no-such-page`);
  expect(loads).toBe(2);
});

test("a path that starts with // stays on this host", async () => {
  const { origin } = new URL(siteUrl);
  const response = await fetch(`${siteUrl}//other.example/page`, { redirect: "manual" });
  const location = response.headers.get("location") ?? "";
  expect(new URL(location, response.url).origin).toBe(origin);
  const page = await browser.newPage();
  const notFound = await (await page.goto(`${siteUrl}no-such-page/`))?.body();
  const others: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(origin)) others.push(request.url());
  });
  await page.route(/other\.example\/page$/, (route) =>
    route.fulfill({ status: 404, contentType: "text/html", body: notFound ?? "" }),
  );
  await page.goto(`${origin}//other.example/page`, { waitUntil: "networkidle" });
  expect(others).toEqual([]);
});
