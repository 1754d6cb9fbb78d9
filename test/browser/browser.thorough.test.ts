import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verdictLine } from "../../contract/report/counts.ts";
import { startSandbox } from "../../sandbox/index.ts";
import { writeTry } from "../../scripts/docs/sandbox/try.ts";
import { readBundle } from "../../scripts/document/read-bundle.ts";
import { hasBrowser, openBrowser } from "../sandbox/pages/browser.ts";
import { runInBrowser } from "./bridge.ts";

/** A site with the panel alone, below a base path. */
interface TrySite {
  /** Ends with a slash. */
  url: string;
  close(): void;
}

const types: Record<string, string> = { html: "text/html", js: "text/javascript", css: "text/css" };

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Try it</title><link rel="icon" href="data:,">
<script type="module" src="../../try/button.js"></script></head>
<body><div class="shell"><main><h1>Send a message</h1><div class="panel-foot" data-try="sendEmail"></div></main></div></body></html>`;

/** Builds the scripts and serves them with a page that has a button. */
async function startTrySite(): Promise<TrySite> {
  const folder = mkdtempSync(join(tmpdir(), "try-"));
  await writeTry(await readBundle(), join(folder, "reference/try"));
  writeFileSync(join(folder, "page.html"), page);
  const server = createServer(({ url = "" }, response) => {
    const [path = ""] = url.split("?");
    const name = path.endsWith("/") ? "page.html" : path;
    const type = types[name.split(".").at(-1) ?? ""] ?? "application/json";
    response.writeHead(200, { "content-type": type }).end(readFileSync(join(folder, name)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/reference/operations/send-email/`,
    close() {
      server.close();
      server.closeAllConnections();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const inBrowser = test.skipIf(!hasBrowser);

let browser: Browser;
let site: TrySite;

beforeAll(async () => {
  if (!hasBrowser) return;
  [browser, site] = await Promise.all([openBrowser(), startTrySite()]);
});
afterAll(async () => {
  await browser?.close();
  site?.close();
});

/** A page in a tab of its own, with the panel open. */
async function openPanel(url = site.url): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(url);
  if (!url.includes("#")) await page.getByRole("button", { name: "Try it" }).click();
  await page.locator(".bench-bar .state.good").waitFor();
  return page;
}

async function send(page: Page): Promise<{ status: string; body: string; text: string }> {
  await page.getByRole("button", { name: "Send" }).click();
  const response = page.locator("#try-response");
  await response.locator(".state").first().waitFor();
  const body = response.locator("pre");
  return {
    status: await response.locator(".state").first().innerText(),
    body: (await body.count()) > 0 ? await body.innerText() : "",
    text: await response.innerText(),
  };
}

const setBody = (page: Page, body: unknown): Promise<void> =>
  page.getByRole("textbox", { name: "Request body" }).fill(JSON.stringify(body));

const choose = (page: Page, label: string, option: string): Promise<unknown> =>
  page.getByLabel(label, { exact: true }).selectOption({ label: option });

const outbox = (page: Page) => page.locator(".outbox li");

inBrowser(
  "a sent message is in the outbox and delivered, and the response matches the document",
  async () => {
    const page = await openPanel();
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    const { status, body, text } = await send(page);
    expect(status).toBe("202 Accepted");
    expect(JSON.parse(body).to).toEqual(["ada@readers.example"]);
    expect(text).toContain("Matches the schema of 202");
    expect(text).toContain("x-ratelimit-remaining");
    await expect.poll(() => outbox(page).first().innerText()).toContain("delivered");
    expect(requests).toEqual([]);
  },
);

inBrowser("nothing is loaded before the click, and nothing from another host after it", async () => {
  const page = await browser.newPage();
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(site.url);
  expect(requests.filter((url) => url.includes("/try/"))).toEqual([expect.stringMatching(/button\.js$/)]);
  await page.getByRole("button", { name: "Try it" }).click();
  await page.locator(".bench-bar .state.good").waitFor();
  await send(page);
  const base = site.url.replace("operations/send-email/", "");
  expect(requests.filter((url) => !url.startsWith(base) && !url.startsWith("data:"))).toEqual([]);
});

inBrowser("without JavaScript there is no button", async () => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto(site.url);
  expect(await page.getByRole("button").count()).toBe(0);
});

inBrowser("the same idempotency key replays the response, and another body is a conflict", async () => {
  const page = await openPanel();
  await page.getByLabel("Idempotency-Key").fill("order-1042");
  const first = await send(page);
  const second = await send(page);
  expect(second.body).toBe(first.body);
  expect(second.text).toContain("idempotent-replayed");
  await choose(page, "Example", "Message from a template");
  const third = await send(page);
  expect([third.status, JSON.parse(third.body).error.type]).toEqual(["409 Conflict", "idempotency_conflict"]);
});

inBrowser("the rate limit of the account is reached", async () => {
  const page = await openPanel();
  await page.getByLabel("Operation").selectOption("getMe");
  let last = await send(page);
  for (let sent = 1; sent <= 120; sent += 1) last = await send(page);
  expect(last.status).toBe("429 Too Many Requests");
  expect(last.text).toContain("retry-after");
  await page.getByRole("button", { name: "+1 min" }).click();
  expect((await send(page)).status).toBe("200 OK");
});

inBrowser("a double opt-in is confirmed by the link in the outbox", async () => {
  const page = await openPanel();
  await page.getByLabel("Operation").selectOption("upsertContact");
  await setBody(page, {
    ...{ email: "new@readers.example", list_id: 1 },
    consent: { detail: "Form on the home page" },
  });
  const added = await send(page);
  expect(added.text).toContain("pending");
  await outbox(page).first().locator("summary").click();
  await page.getByRole("button", { name: "Follow the link" }).click();
  await page.getByLabel("Operation").selectOption("getContact");
  await page.getByLabel("email", { exact: true }).fill("new@readers.example");
  expect((await send(page)).body).toContain('"subscribed"');
});

inBrowser(
  "a message to the simulated recipient bounces, and the id is filled in for the lookup",
  async () => {
    const page = await openPanel();
    await setBody(page, {
      ...{ from: "hello@bakery.example", to: ["bounce@simulator.example"] },
      ...{ subject: "Bounces", text: "Hello" },
    });
    await send(page);
    await page.getByRole("button", { name: "+1 min" }).click();
    await expect.poll(() => outbox(page).first().innerText()).toContain("bounced");
    await page.getByLabel("Operation").selectOption("getEmail");
    expect((await send(page)).body).toContain('"bounced"');
  },
);

inBrowser("failures on demand: a status, 429, and a connection that is cut", async () => {
  const page = await openPanel();
  const fail = async (name: string): Promise<string> => {
    await page.getByRole("radio", { name, exact: true }).check();
    await page.getByRole("button", { name: "Add" }).click();
    await expect.poll(() => page.locator("#try-failures").innerText()).toContain("waiting: ");
    return (await send(page)).status;
  };
  expect(await fail("503")).toBe("503 Service Unavailable");
  expect(await fail("429")).toBe("429 Too Many Requests");
  expect(await fail("cut")).toBe("No response");
  expect((await send(page)).status).toBe("202 Accepted");
});

inBrowser("a link replays the requests, the failures and the clock, with the same ids", async () => {
  const page = await openPanel();
  const first = await send(page);
  await page.getByRole("button", { name: "+1 day" }).click();
  await page.getByRole("radio", { name: "503", exact: true }).check();
  await page.getByRole("button", { name: "Add" }).click();
  await send(page);
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect.poll(() => page.url()).toContain("#try=");
  const again = await openPanel(page.url());
  await expect.poll(() => again.locator("#try-response").innerText()).toContain("503");
  await outbox(again).first().locator("summary").click();
  await expect.poll(() => outbox(again).first().innerText()).toContain(JSON.parse(first.body).id);
  expect(await again.locator(".clock time").innerText()).toMatch(/^2027-02-01 09:/);
});

inBrowser("a link that is damaged or too large starts the sandbox without it", async () => {
  for (const code of ["x", "a".repeat(30_000), "q1YqSy1RslIyMtJRKkkFAA"]) {
    const page = await openPanel(`${site.url}#try=${code}`);
    expect(await page.locator("#try-response").innerText()).toContain("no valid scenario");
  }
});

inBrowser("the next page of the tab has the state, and Reset removes it", async () => {
  const page = await openPanel();
  await send(page);
  await page.goto(`${site.url}?next`);
  await page.getByRole("button", { name: "Try it" }).click();
  // The sent message, and the one that the demo accounts start with.
  await expect.poll(() => outbox(page).count()).toBe(2);
  await expect.poll(() => outbox(page).first().innerText()).toContain("receipt");
  await page.getByRole("button", { name: "Reset" }).click();
  await expect.poll(() => page.locator(".outbox").innerText()).toContain("Nothing was sent yet");
});

inBrowser("a server of the reader gets the request, or the reason is CORS", async () => {
  const page = await openPanel();
  const sandbox = await startSandbox({});
  await choose(page, "Server", "Your own base URL");
  await page.getByLabel("Base URL").fill(sandbox.url);
  await page.getByLabel("API key").fill("sandbox_all_2f7c");
  const { status, text } = await send(page);
  expect([status, text.includes("CORS")]).toEqual(["No response", true]);
  await page.getByLabel("Base URL").fill("ftp://example");
  expect((await send(page)).text).toContain("must start with https://");
  await sandbox.close();
});

test.skipIf(!hasBrowser)(
  "the sandbox in the worker of a page passes every requirement that responses show",
  { timeout: 400_000 },
  async () => {
    const { result, errors, browser } = await runInBrowser();
    console.log(`${browser}: ${verdictLine(result)}`);
    expect(result.requirements.filter(({ verdict }) => verdict !== "pass")).toEqual([]);
    expect(result.counts.pass).toBeGreaterThanOrEqual(225);
    expect(errors).toEqual([]);
  },
);
