import { getColorContrast } from "@astrojs/starlight/expressive-code";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../../../sandbox/index.ts";
import { put, startedAt } from "../control/test-site.ts";
import { exchange, head } from "../http/raw.ts";
import { hasBrowser, openBrowser } from "./browser.ts";
import { bounced, hostile, receipt, requests, scheduled } from "./samples.ts";

const clock = { frozen: true, startAt: startedAt };

const paths = [
  ..."/ /messages/msg_receipt /messages/msg_receipt?view=headers /messages/msg_bounced".split(" "),
  ..."/messages/msg_hostile /messages/msg_hostile?view=source /requests /requests/req_3".split(" "),
  ..."/?search=nothing /contacts /suppressions /clock /failures /control".split(" "),
];

describe.skipIf(!hasBrowser)("in a browser", { timeout: 120_000 }, () => {
  let sandbox: Sandbox;
  let url: string;
  let browser: Browser;

  beforeAll(async () => {
    sandbox = await startSandbox({ clock });
    url = sandbox.url;
    for (const message of [receipt, bounced, scheduled, hostile]) await put(sandbox.store, message);
    for (const request of requests) sandbox.store.logRequest(request);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await sandbox?.close();
  });

  const visit = async (
    path: string,
    how: Parameters<Browser["newContext"]>[0] = {},
  ): Promise<[Page, BrowserContext]> => {
    const context = await browser.newContext(how);
    const page = await context.newPage();
    await page.goto(url + path);
    return [page, context];
  };

  test.for(["light", "dark"] as const)("text on a %s page has enough contrast", async (colorScheme) => {
    const [page, context] = await visit("/contacts", { colorScheme });
    const [ink = "", soft = "", paper = ""] = await page.evaluate<string[]>(
      `["--ink", "--soft", "--paper"].map((name) => getComputedStyle(document.documentElement).getPropertyValue(name))`,
    );
    expect(getColorContrast(ink, paper)).toBeGreaterThan(7);
    expect(getColorContrast(soft, paper)).toBeGreaterThan(4.5);
    await context.close();
  });

  test("an HTML message is rendered, with its inline image", async () => {
    const [page, context] = await visit("/messages/msg_receipt");
    const frame = page.frameLocator("iframe");
    expect(await frame.locator("h1").innerText()).toBe("Good morning, Ada");
    const size = await frame
      .locator("#logo")
      .evaluate((image) => Number((image as unknown as { naturalWidth: number }).naturalWidth));
    expect(size).toBe(1);
    await context.close();
  });

  test("a hostile message has no effect: no script, dialog, request or navigation", async () => {
    // A page that requests nothing more.
    const [page, context] = await visit("/messages/msg_receipt");
    const requested: string[] = [];
    const dialogs: string[] = [];
    // Requests that the policy blocks never reach a route.
    await context.route("**", (route) => {
      requested.push(`${route.request().method()} ${route.request().url().replace(url, "")}`);
      return route.continue();
    });
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      return dialog.dismiss();
    });
    await page.goto(`${url}/messages/msg_hostile`);
    const frame = page.frameLocator("iframe");
    await frame.locator("#button").click();
    await frame.locator("#link").click();
    await frame.locator("p").first().waitFor();
    expect(await page.title()).toMatch(/· Sandbox$/);
    expect(page.url()).toBe(`${url}/messages/msg_hostile`);
    expect(dialogs).toEqual([]);
    expect(requested).toEqual(["GET /messages/msg_hostile", "GET /messages/msg_hostile/html"]);
    await context.close();
  });

  test("everything works without JavaScript", async () => {
    const [page, context] = await visit("/contacts", { javaScriptEnabled: false });
    await page.getByRole("button", { name: "Confirm pending@readers.example" }).click();
    expect(await page.getByText("pending", { exact: true }).count()).toBe(0);
    await page.getByRole("link", { name: "Clock" }).click();
    await page.getByRole("button", { name: "1 day", exact: true }).click();
    expect(await page.locator("p.big time").getAttribute("datetime")).toBe("2026-11-22T10:00:00.000Z");
    await page.getByRole("link", { name: "Suppressions" }).click();
    await page.getByLabel("Email address").fill("new@readers.example");
    await page.getByRole("button", { name: "Suppress", exact: true }).click();
    expect(await page.getByText("new@readers.example").count()).toBe(1);
    await page.getByLabel("Account").selectOption("florist");
    await page.getByRole("button", { name: "Show" }).click();
    expect(await page.getByText("No suppressed email addresses.").count()).toBe(1);
    await context.close();
  });

  test("a failure is added and ended without JavaScript; its fields are shown when they are needed", async () => {
    const [page, context] = await visit("/failures", { javaScriptEnabled: false });
    expect(await page.getByLabel("Delay", { exact: true }).isVisible()).toBe(false);
    await page.getByLabel("Failure").selectOption("delay");
    await page.getByLabel("Delay", { exact: true }).fill("PT5S");
    await page.getByLabel("until ended").check();
    await page.getByRole("button", { name: "Add failure" }).click();
    expect(await page.getByText("Responds 5 s late").count()).toBe(1);
    await page.getByRole("button", { name: "End the failure" }).click();
    expect(await page.getByText("No failures").count()).toBe(1);
    await context.close();
  });

  test("the command and the keys are beside the messages, and folded above them in a narrow window", async () => {
    const [page, context] = await visit("/", { viewport: { width: 390, height: 844 } });
    const command = page.getByText("curl -i -X POST");
    const summary = page.getByText("Send a message: command and keys");
    expect(await command.isVisible()).toBe(false);
    expect((await summary.boundingBox())?.y).toBeLessThan(
      (await page.getByRole("searchbox").boundingBox())?.y ?? 0,
    );
    await summary.click();
    expect(await command.isVisible()).toBe(true);
    await summary.click();
    await page.setViewportSize({ width: 1280, height: 800 });
    await command.waitFor();
    expect(await summary.isVisible()).toBe(false);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${url}/?search=nothing`);
    expect(await command.isVisible()).toBe(true);
    await context.close();
  });

  test("in a narrow window the sections are one row, in which the current one is visible", async () => {
    for (const path of ["/", "/failures"]) {
      const [page, context] = await visit(path, { viewport: { width: 390, height: 844 } });
      const links = page.getByRole("navigation", { name: "Sections" }).getByRole("link");
      const boxes = await Promise.all((await links.all()).map((link) => link.boundingBox()));
      expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
      const current = await page.locator("nav.main [aria-current]").boundingBox();
      expect(current?.x).toBeGreaterThan(0);
      expect((current?.x ?? 0) + (current?.width ?? 0)).toBeLessThan(390);
      await context.close();
    }
  });

  test("a check box is beside its label, in a narrow window too", async () => {
    const [page, context] = await visit("/failures", { viewport: { width: 390, height: 844 } });
    const [box, label] = await Promise.all([
      page.getByLabel("until ended").boundingBox(),
      page.getByText("until ended", { exact: true }).first().boundingBox(),
    ]);
    expect(box?.width).toBeLessThan(24);
    expect(box?.x).toBeLessThan((label?.x ?? 0) + 8);
    await context.close();
  });

  test("a page of another site cannot submit a form", async () => {
    const [page, context] = await visit("/");
    await page.route("http://elsewhere.example/", (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<form action="${url}/reset" method="post"><button>Win</button></form>`,
      }),
    );
    await page.goto("http://elsewhere.example/");
    const [response] = await Promise.all([
      page.waitForResponse(`${url}/reset`),
      page.getByRole("button").click(),
    ]);
    expect(response.status()).toBe(403);
    await context.close();
  });

  test("every page fits its window, and has one h1, one main element and labelled fields", async () => {
    const [page, context] = await visit("/");
    for (const path of paths) {
      await page.goto(url + path);
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.evaluate("document.documentElement.scrollWidth"), path).toBeLessThanOrEqual(width);
      }
      const { labels, ...counts } = await page.evaluate<{ labels: number[] }>(`({
        headings: document.querySelectorAll("h1").length,
        main: document.querySelectorAll("main").length,
        current: document.querySelectorAll("nav.main a[aria-current]").length,
        labels: Array.from(document.querySelectorAll("input:not([type=hidden]), select"), (field) => field.labels.length),
      })`);
      expect(counts, path).toEqual({ headings: 1, main: 1, current: 1 });
      expect(
        labels.filter((count) => count !== 1),
        path,
      ).toEqual([]);
    }
    await context.close();
  });
});

const hostileSubject = '<img src=x onerror="alert(1)"><script>alert(2)</script>';

const content = { subject: "", html: null, text: "", reply_to: null, headers: {}, attachments: [] };

describe.skipIf(!hasBrowser)("live pages", { timeout: 60_000 }, () => {
  let sandbox: Sandbox;
  let url: string;
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
    sandbox = await startSandbox({ clock });
    url = sandbox.url;
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
    await sandbox.close();
  });

  test("a new message appears without reloading, as text, and other hosts get no request", async () => {
    await page.goto(url);
    await page.getByText("No messages yet").waitFor();
    await page.evaluate("window.isSamePage = true");
    await put(sandbox.store, { id: "msg_1", content: { ...content, subject: hostileSubject } });
    await page.getByRole("link", { name: hostileSubject }).waitFor();
    await put(sandbox.store, { id: "msg_2" });
    await page.getByRole("link", { name: "Your order" }).waitFor();
    expect(await page.evaluate("[window.isSamePage, document.images.length]")).toEqual([true, 0]);
    expect(dialogs).toEqual([]);
    expect(requested.filter((one) => !one.startsWith(url))).toEqual([]);
  });

  test("a new message leaves the focus and the text of the search as they are", async () => {
    await put(sandbox.store, { id: "msg_1" });
    await page.goto(url);
    await page.getByRole("searchbox").fill("unfinished");
    await page.getByRole("link", { name: "Your order" }).focus();
    await put(sandbox.store, { id: "msg_2", content: { ...content, subject: "Newer" } });
    await page.getByRole("link", { name: "Newer" }).waitFor();
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Your order");
    expect(await page.getByRole("searchbox").inputValue()).toBe("unfinished");
    expect(await page.locator("main .rows .title").first().innerText()).toBe("Newer");
  });

  test("a message is followed until its final status", async () => {
    const dueAt = startedAt + 1000;
    const message = await put(sandbox.store, { id: "msg_1", status: "sent", deliveredAt: null, dueAt });
    await page.goto(`${url}/messages/msg_1`);
    await page.getByText("Live", { exact: true }).waitFor();
    const sent = { type: "sent", at: startedAt, detail: null };
    const events = [sent, { type: "delivered", at: dueAt, detail: null }];
    await sandbox.store.changeMessage("bakery", "msg_1", () => ({ ...message, events: [sent] }));
    await page.locator('[data-live="events"] .title').getByText("sent").waitFor();
    await sandbox.store.changeMessage("bakery", "msg_1", () => ({
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
    await exchange(url, head("POST /v1/<img>"));
    await page.getByText("POST /v1/<img>").waitFor();
    expect(await page.getByText("not in the log").count()).toBe(1);
  });

  test("a page that loses the sandbox says so, and goes on when it is back", async () => {
    await page.goto(url);
    await context.setOffline(true);
    await page.getByText("Connection lost").waitFor();
    await context.setOffline(false);
    await put(sandbox.store, { id: "msg_1" });
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
    await put(sandbox.store, { id: "msg_1" });
    await put(sandbox.store, { id: "msg_2", to: ["grace@readers.example"] });
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
