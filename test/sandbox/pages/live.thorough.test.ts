import type { Server } from "node:http";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestSite, put, startedAt, type TestSite } from "../control/test-site.ts";
import { hasBrowser, openBrowser, serve } from "./browser.ts";

const hostileSubject = '<img src=x onerror="alert(1)"><script>alert(2)</script>';

const content = { subject: "", html: null, text: "", reply_to: null, headers: {}, attachments: [] };

describe.skipIf(!hasBrowser)("live pages", { timeout: 60_000 }, () => {
  let site: TestSite;
  let url: string;
  let server: Server;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const requested: string[] = [];
  const dialogs: string[] = [];

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    site = await openTestSite();
    ({ url, server } = await serve(site));
    context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
    page = await context.newPage();
    requested.length = 0;
    dialogs.length = 0;
    page.on("request", (request) => requested.push(request.url()));
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      return dialog.dismiss();
    });
  });
  afterEach(async () => {
    await context.close();
    server.close();
    await site.store.close();
  });

  test("a new message appears without reloading, as text, and other hosts get no request", async () => {
    await page.goto(url);
    await page.getByText("No messages yet").waitFor();
    await page.evaluate("window.isSamePage = true");
    await put(site.store, { id: "msg_1", content: { ...content, subject: hostileSubject } });
    await page.getByRole("link", { name: hostileSubject }).waitFor();
    await put(site.store, { id: "msg_2" });
    await page.getByRole("link", { name: "Your order" }).waitFor();
    expect(await page.evaluate("[window.isSamePage, document.images.length]")).toEqual([true, 0]);
    expect(dialogs).toEqual([]);
    expect(requested.filter((one) => !one.startsWith(url))).toEqual([]);
  });

  test("a new message leaves the focus and the text of the search as they are", async () => {
    await put(site.store, { id: "msg_1" });
    await page.goto(url);
    await page.getByRole("searchbox").fill("unfinished");
    await page.getByRole("link", { name: "Your order" }).focus();
    await put(site.store, { id: "msg_2", content: { ...content, subject: "Newer" } });
    await page.getByRole("link", { name: "Newer" }).waitFor();
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Your order");
    expect(await page.getByRole("searchbox").inputValue()).toBe("unfinished");
    expect(await page.locator("main .rows .title").first().innerText()).toBe("Newer");
  });

  test("a message is followed until its final status", async () => {
    const dueAt = startedAt + 1000;
    const message = await put(site.store, { id: "msg_1", status: "sent", deliveredAt: null, dueAt });
    await page.goto(`${url}/messages/msg_1`);
    await page.getByText("Live", { exact: true }).waitFor();
    const sent = { type: "sent", at: startedAt, detail: null };
    const events = [sent, { type: "delivered", at: dueAt, detail: null }];
    await site.store.changeMessage("bakery", "msg_1", () => ({ ...message, events: [sent] }));
    await page.locator('[data-live="events"] .title').getByText("sent").waitFor();
    await site.store.changeMessage("bakery", "msg_1", () => ({
      ...{ ...message, events, status: "delivered", deliveredAt: dueAt, dueAt: null },
    }));
    await page.locator('[data-live="events"] .title').getByText("delivered").waitFor();
    expect(await page.locator('[data-live="events"] .title').allInnerTexts()).toEqual(["sent", "delivered"]);
    const before = requested.length;
    await page.waitForTimeout(2500);
    expect(requested.length).toBe(before);
  });

  test("requests that match nothing appear", async () => {
    await page.goto(`${url}/requests`);
    const request = { requestId: "req_1", at: startedAt, accountId: null, method: "POST", path: "/v1/<img>" };
    const outcome = { status: 404, error: null, accepted: null };
    site.services.recent.add({ ...request, ...outcome });
    await page.getByText("POST /v1/<img>").waitFor();
    expect(await page.getByText("not in the log").count()).toBe(1);
  });

  test("a page that loses the sandbox says so, and goes on when it is back", async () => {
    await page.goto(url);
    await context.setOffline(true);
    await page.getByText("Connection lost").waitFor();
    await context.setOffline(false);
    await put(site.store, { id: "msg_1" });
    await page.getByRole("link", { name: "Your order" }).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
  });

  test("keys and the first request are copied", async () => {
    await page.goto(url);
    const copied = () => page.evaluate<string>("navigator.clipboard.readText()");
    await page.getByRole("button", { name: "Copy the command" }).click();
    await page.getByText("Copied").waitFor();
    expect(await copied()).toMatch(/^curl -i -X POST http:.+ }'$/s);
    await page.getByRole("button", { name: "Copy the key all abilities", exact: true }).click();
    await expect.poll(copied).toBe("sandbox_all_2f7c");
  });

  test("without JavaScript, there are no buttons to copy, and the search works", async () => {
    await put(site.store, { id: "msg_1" });
    await put(site.store, { id: "msg_2", to: ["grace@readers.example"] });
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const other = await plain.newPage();
    await other.goto(url);
    expect(await other.getByText("Copy", { exact: true }).first().isVisible()).toBe(false);
    await other.getByRole("searchbox").fill("Grace");
    await other.getByRole("button", { name: "Search" }).click();
    expect(await other.locator("[data-live] .title").count()).toBe(1);
    await plain.close();
  });
});
