import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { htmlReport } from "../../../contract/report/html.ts";
import { matrixOf } from "../../../contract/report/matrix.ts";
import { matrixHtml } from "../../../contract/report/matrix-html.ts";
import type { ContractResult } from "../../../contract/report/result.ts";
import { axe, axeProblems } from "../../docs/site/visit.ts";
import { hasBrowser, openBrowser } from "../../sandbox/pages/browser.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { hostile, oneOfEach, outcome, repeatedKeysResult, resultOf, sampleExchange } from "./samples.ts";

const page = htmlReport(resultOf());

describe("the page", () => {
  test("is self-contained, and loads nothing", () => {
    expect(page).toMatch(
      /<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src/,
    );
    expect(page).not.toMatch(
      /<(?:link|img|iframe|object|embed|base|form)\b|\bsrc=|@import|url\(|\sstyle=|\son\w+="/,
    );
    expect(page.match(/<script/g)).toHaveLength(1);
  });

  test("escapes text of a server", () => {
    expect(page).not.toContain("<script>alert");
    expect(page).toContain("&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
    for (const letter of ["\u001B", "\u202E", "\0", "\uD800"]) {
      expect(hostile).toContain(letter);
      expect(page).not.toContain(letter);
    }
  });

  test("has every requirement once, and every exchange of a failure", () => {
    const result = resultOf();
    for (const { id } of [...result.requirements, ...result.notTested])
      expect(page.split(` id="${id}"`), id).toHaveLength(2);
    expect(page).toContain(`-H &quot;authorization: Bearer $CONTRACT_KEY_SEND_ONLY&quot;`);
    const exchanges = Array.from({ length: 7 }, (_, index) => ({
      ...sampleExchange,
      path: `/call/${index}/`,
    }));
    const found = { expected: "a", found: "b", exchange: 3 };
    const failed = htmlReport(resultOf([outcome({ verdict: "fail", failure: found, exchanges })], []));
    for (const { path } of exchanges) expect(failed).toContain(`<code>POST ${path}</code>`);
    expect(
      failed.match(/<details class="exchange" open><summary><span class="state fail">Fails<\/span> /g),
    ).toHaveLength(1);
    const [, marked] = failed.split('<span class="state fail">Fails</span> ');
    expect(marked).toMatch(/^<code>POST \/call\/3\//);
    const passed = htmlReport(resultOf([outcome({ exchanges })], []));
    expect(passed.match(/<code>POST/g)).toHaveLength(1);
  });

  test("a requirement links to the failed check that is shown at another one", () => {
    expect(page).toContain('Fails with <a href="#IDEM-2">IDEM-2</a>: a failing sample');
  });

  test("checks of other requirements that pass are folded below a failure", () => {
    const passing = ["SEND-1", "SEND-2", "SEND-3", "SEND-4"].map((id) =>
      outcome({ ids: [id, "IDEM-1"], check: `a check of ${id}` }),
    );
    const failure = { expected: "a", found: "b", exchange: 0 };
    const failed = htmlReport(resultOf([...passing, outcome({ verdict: "fail", failure })], []));
    expect(failed).toContain("<summary>4 other checks that pass</summary>");
  });

  test("shows no exchange of an earlier sequence below a failure", () => {
    const at = (path: string, milliseconds: number) => ({
      ...sampleExchange,
      path,
      startedAt: sampleExchange.startedAt + milliseconds,
    });
    const exchanges = [at("/first", 10), at("/failing", 20), at("/earlier", 0), at("/later", 30)];
    const failure = { expected: "a", found: "b", exchange: 1 };
    const shown = htmlReport(resultOf([outcome({ verdict: "fail", failure, exchanges })], []));
    expect([...shown.matchAll(/<code>POST ([^<]+)/g)].map(([, path]) => path)).toEqual([
      "/first",
      "/failing",
      "/later",
    ]);
  });

  test("stays below 5 MB with many failures", () => {
    const body = "x".repeat(16_384);
    const exchange = { ...sampleExchange, response: { ...sampleExchange.response, body } };
    const found = { expected: "a".repeat(900), found: "b".repeat(900), exchange: 0 };
    const checks = Array.from({ length: 1500 }, (_, index) =>
      outcome({
        check: `check ${index}`,
        ...(index % 3 === 0 ? {} : { verdict: "fail", failure: found }),
        exchanges: [exchange, exchange],
      }),
    );
    const large = htmlReport(resultOf(checks, []));
    expect(Buffer.byteLength(large)).toBeLessThan(5_000_000);
    expect(large).toContain("The exchanges are omitted");
  });

  test("begins with the failures, then the overview with a legend, then the other requirements", () => {
    const order = [
      "failures-title",
      `id="IDEM-2"`,
      `id="overview"`,
      `class="legend"`,
      `id="topic-`,
      `id="IDEM-1"`,
    ];
    const places = order.map((part) => page.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(page).toContain(`<span class="badge fail">Fails</span>`);
    expect(page.match(/<details class="exchange" open>/g)).toHaveLength(1);
    expect(page.match(/\b3 (of 7 |requirements )?fail/g)).toHaveLength(2);
  });

  test("says so if everything passes", () => {
    const good = htmlReport(resultOf([outcome({})], []));
    expect(good).toContain("<h1>1 of 1 requirement pass</h1>");
    expect(good).not.toContain("failures-title");
  });
});

describe.skipIf(!hasBrowser)("the page in a browser", { timeout: 120_000 }, () => {
  const folder = temporaryFolder(afterAll);
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  /** Opens the page of a result, and records dialogs, messages, errors and requests. */
  async function opened(
    result: ContractResult,
    how: Parameters<Browser["newContext"]>[0] = {},
  ): Promise<{ page: Page; noted: string[]; close(): Promise<void> }> {
    const file = join(folder, "report.html");
    await writeFile(file, htmlReport(result));
    const context = await browser.newContext(how);
    const own = await context.newPage();
    const noted: string[] = [];
    own.on("dialog", (dialog) => {
      noted.push("dialog");
      void dialog.dismiss();
    });
    own.on("console", (message) => noted.push(message.text()));
    own.on("pageerror", (error) => noted.push(error.message));
    own.on("request", (request) => {
      if (request.url() !== pathToFileURL(file).href) noted.push(request.url());
    });
    await own.goto(pathToFileURL(file).href);
    return { page: own, noted, close: () => context.close() };
  }

  test("a long word in the matrix does not hide the columns beside it, and these stay as wide as their words", async () => {
    const reasons = [`See ${"w".repeat(300)}`, "A long reason with words and so on. ".repeat(12)];
    const reports = reasons.map((reason, index) => {
      const entry = { id: "SEND-1", reason, owner: "Team Mail", until: "2999-12-31" };
      return resultOf(oneOfEach, [entry], { implementation: { name: `Postbox ${index}`, version: "1" } });
    });
    const own = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await own.setContent(matrixHtml(matrixOf(reports)));
    const tables = await own.evaluate<{ hidden: number; owner: number }[]>(
      `[...document.querySelectorAll(".wide:has(.levels)")].map((one) => ({
        hidden: one.scrollWidth - one.clientWidth,
        owner: one.querySelector("td:nth-child(3)").getBoundingClientRect().width,
      }))`,
    );
    await own.close();
    expect(tables).toHaveLength(3);
    for (const { hidden, owner } of tables) {
      expect(hidden).toBe(0);
      expect(owner).toBeGreaterThan(60);
    }
  });

  const shown = (own: Page): Promise<string[]> =>
    own.evaluate<string[]>(
      `[...document.querySelectorAll("article")].filter((one) => one.offsetParent !== null).map((one) => one.id)`,
    );

  test("filters by verdict, also by keyboard, with and without scripts", async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page: own, noted, close } = await opened(resultOf(), { javaScriptEnabled });
      await own.locator("#show-fail").check();
      if (javaScriptEnabled) expect(await shown(own)).toEqual(["IDEM-2", "IDEM-3", "HEAD-1"]);
      expect(await own.locator("article:visible").count()).toBe(3);
      await own.keyboard.press("ArrowRight");
      expect(await own.locator("article:visible").count()).toBe(1);
      expect(await own.locator("main h2:visible").first().innerText()).toMatch(/^Lists/);
      expect(await own.locator(".overview").isVisible()).toBe(false);
      expect(await own.locator("#search").isVisible()).toBe(javaScriptEnabled);
      expect(noted).toEqual([]);
      await close();
    }
  });

  test("searches requirements and checks, and reveals the target of a link", async () => {
    const { page: own, noted, close } = await opened(resultOf());
    await own.locator("#search").fill("KEY different body");
    expect(await shown(own)).toEqual(["IDEM-2"]);
    await own.locator("#search").fill("a failing sample");
    expect(await shown(own)).toEqual(["IDEM-2", "IDEM-3"]);
    expect(await own.locator("#shown").innerText()).toBe("2 shown");
    expect(await own.locator(".overview").isVisible()).toBe(false);
    await own.evaluate(`location.hash = "AUTH-15"`);
    await own.waitForFunction(`document.querySelector("#search").value === ""`);
    expect(await shown(own)).toContain("AUTH-15");
    expect(await own.locator(".overview").isVisible()).toBe(true);
    expect(noted).toEqual([]);
    await close();
  });

  test("copies a command, and has no button for it without scripts", async () => {
    const failure = { expected: "a", found: "b", exchange: 0 };
    const failing = resultOf([outcome({ verdict: "fail", failure })], []);
    for (const javaScriptEnabled of [true, false]) {
      const permissions = ["clipboard-read", "clipboard-write"];
      const { page: own, noted, close } = await opened(failing, { javaScriptEnabled, permissions });
      const button = own.locator("button.copy").first();
      expect(await button.isVisible()).toBe(javaScriptEnabled);
      if (javaScriptEnabled) {
        await button.click();
        await own.waitForFunction(`document.querySelector("button.copy").textContent === "Copied"`);
        const copied = await own.evaluate<string>("navigator.clipboard.readText()");
        expect(copied).toBe(await own.locator("pre.curl").first().textContent());
      }
      expect(noted).toEqual([]);
      await close();
    }
  });

  test("shows the property that failed in a long body", async () => {
    const members = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`member_${index}`, index]));
    const body = JSON.stringify({ ...members, sent_at: null, ...members });
    const exchange = { ...sampleExchange, response: { ...sampleExchange.response, body } };
    const failure = { expected: "sent_at within a minute", found: "null", exchange: 0 };
    const result = resultOf([outcome({ verdict: "fail", failure, exchanges: [exchange] })], []);
    const { page: own, close } = await opened(result);
    const place = `(() => {
      const mark = document.querySelector("mark").getBoundingClientRect();
      const body = document.querySelector("mark").closest("pre").getBoundingClientRect();
      return mark.top >= body.top && mark.bottom <= body.bottom;
    })()`;
    await own.waitForFunction(place);
    expect(await own.locator("mark").innerText()).toBe('"sent_at":');
    await close();
  });

  test("fits narrow screens and paper", async () => {
    const {
      page: own,
      noted,
      close,
    } = await opened(await repeatedKeysResult(), {
      viewport: { width: 390, height: 844 },
    });
    expect(await own.evaluate("document.documentElement.scrollWidth")).toBe(390);
    const choices = await own.locator(".bar label.choice").all();
    expect(choices.length).toBeGreaterThan(2);
    for (const choice of choices) {
      const box = await choice.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    }
    await own.emulateMedia({ media: "print" });
    expect(await own.locator(".find").isVisible()).toBe(false);
    expect(noted).toEqual([]);
    await close();
  });

  test.for(["light", "dark"] as const)("is accessible in %s mode", async (colorScheme) => {
    const { page: own, close } = await opened(resultOf(), { colorScheme, bypassCSP: true });
    await own.addScriptTag({ path: axe });
    expect(await own.evaluate<string[]>(axeProblems({ include: ["html"] }))).toEqual([]);
    await close();
  });
});
