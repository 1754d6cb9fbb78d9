import type { BrowserContextOptions } from "playwright-core";
import { expect, test } from "vitest";
import { operations } from "../../../generated/operations.ts";
import {
  addFailure,
  bench,
  button,
  field,
  inPanel,
  messages,
  response,
  running,
  send,
  showsResponse,
  tryIt,
} from "./panel.ts";
import { axe, axeProblems, paths, siteUrl, urlOf } from "./visit.ts";

const { open, openPanel } = inPanel();

test("every operation has a button that is only there with JavaScript", async () => {
  const page = await open("");
  const plain = await open("", { javaScriptEnabled: false });
  const pages = paths.filter((path) => path.startsWith("operations/"));
  expect(pages).toHaveLength(Object.keys(operations).length);
  for (const path of pages) {
    await page.goto(urlOf(path));
    expect(await tryIt(page).isVisible(), path).toBe(true);
    await plain.goto(urlOf(path));
    expect(await tryIt(plain).count(), path).toBe(0);
  }
});

test.each<[name: string, options: BrowserContextOptions]>([
  ["at 1440 px, light", { viewport: { width: 1440, height: 900 }, colorScheme: "light" }],
  ["at 1440 px, dark", { viewport: { width: 1440, height: 900 }, colorScheme: "dark" }],
  ["at 1200 px", { viewport: { width: 1200, height: 900 }, colorScheme: "light" }],
  ["at 768 px", { viewport: { width: 768, height: 1000 }, colorScheme: "dark" }],
  ["at 390 px, light", { viewport: { width: 390, height: 844 }, colorScheme: "light" }],
  ["at 390 px, dark", { viewport: { width: 390, height: 844 }, colorScheme: "dark" }],
])("the sandbox sends a message %s: accessible, and without another host", async (_, options) => {
  const page = await open("operations/send-email", options);
  const loaded = await page.evaluate<string[]>(
    `performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => name.includes("/try/"))`,
  );
  expect(loaded).toEqual([`${siteUrl}try/button.js`]);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await tryIt(page).click();
  await running(page);
  await send(page);
  await showsResponse(page, "202 Accepted");
  await page.locator(".outbox summary").first().click();
  await page.locator(".outbox .pairs").waitFor();
  expect(requests.filter((url) => !url.startsWith(siteUrl) && !url.startsWith("data:"))).toEqual([]);
  await page.addScriptTag({ path: axe });
  const found = await page.evaluate<{ problems: string[]; overflow: number }>(`(async () => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return { problems: await ${axeProblems({ exclude: ["header"] })}, overflow: scrollWidth - clientWidth };
  })()`);
  expect(found).toEqual({ problems: [], overflow: 0 });
});

test("a sent message is in the outbox and delivered, and the response matches the document", async () => {
  const page = await openPanel("operations/send-email");
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  const { status, body, text } = await send(page);
  expect(status).toBe("202 Accepted");
  expect(JSON.parse(body).to).toEqual(["ada@readers.example"]);
  expect(text).toContain("Matches the schema of 202");
  expect(text).toContain("x-ratelimit-remaining");
  await expect.poll(() => messages(page).first().innerText()).toContain("delivered");
  expect(requests).toEqual([]);
});

test("the same idempotency key replays the response, and another body is a conflict", async () => {
  const page = await openPanel("operations/send-email");
  await field(page, "Idempotency-Key").fill("order-1042");
  const first = await send(page);
  const second = await send(page);
  expect(second.body).toBe(first.body);
  expect(second.text).toContain("idempotent-replayed");
  await field(page, "Example").selectOption("Message from a template");
  const third = await send(page);
  expect([third.status, JSON.parse(third.body).error.type]).toEqual(["409 Conflict", "idempotency_conflict"]);
});

test("the rate limit of the account is reached", async () => {
  const page = await openPanel("operations/get-me");
  let last = await send(page);
  for (let sent = 1; sent <= 120; sent += 1) last = await send(page);
  expect(last.status).toBe("429 Too Many Requests");
  expect(last.text).toContain("retry-after");
  await button(page, "+1 min").click();
  expect((await send(page)).status).toBe("200 OK");
});

test("a double opt-in is confirmed by the link in the outbox", async () => {
  const page = await openPanel("operations/upsert-contact");
  const contact = { email: "new@readers.example", list_id: 1, consent: { detail: "Form on the home page" } };
  await field(page, "Request body").fill(JSON.stringify(contact));
  expect((await send(page)).text).toContain("pending");
  await messages(page).first().locator("summary").click();
  await button(page, "Follow the link").waitFor();
  expect(await messages(page).first().innerText()).not.toMatch(/localhost|https?:/);
  await button(page, "Follow the link").click();
  await field(page, "Operation").selectOption("getContact");
  await field(page, "email").fill("new@readers.example");
  expect((await send(page)).body).toContain('"subscribed"');
});

test("the status of a recipient that is unspecified says so, and an example is rejected with 422", async () => {
  const page = await openPanel("operations/send-email");
  await field(page, "Recipient").selectOption("suppressionlist@simulator.example");
  await send(page);
  await expect.poll(() => messages(page).first().innerText()).toContain("final status unspecified");
  await field(page, "Example").selectOption({ label: "No recipient: rejected with 422" });
  expect((await send(page)).status).toContain("422");
});

test("the operation, and what a failure does, can be read in full", async () => {
  const page = await openPanel("operations/unsubscribe-contact");
  expect(await field(page, "Endpoint").innerText()).toBe(
    "POST /api/v1/newsletter/contacts/{email}/unsubscribe",
  );
  const operations = field(page, "Operation");
  expect(await operations.locator("option:checked").innerText()).toBe("Unsubscribe a contact");
  expect(await operations.evaluate((node) => node.scrollWidth > node.clientWidth)).toBe(false);
  const cut = bench(page).getByRole("radio", { name: "cut", exact: true });
  expect(await cut.getAttribute("title")).toContain("without a response");
  await cut.check();
  expect(await page.locator("#try-failures").innerText()).toContain("without a response");
});

test("a message to the simulated recipient bounces, and the id is filled in for the lookup", async () => {
  const page = await openPanel("operations/send-email");
  await field(page, "Recipient").selectOption("bounce@simulator.example");
  expect(await field(page, "Request body").innerText()).toContain('"to": ["bounce@simulator.example"]');
  await send(page);
  await button(page, "+1 min").click();
  await expect.poll(() => messages(page).first().innerText()).toContain("bounced");
  await field(page, "Operation").selectOption("getEmail");
  expect((await send(page)).body).toContain('"bounced"');
});

test("failures on demand: a status, 429, and a connection that is cut", async () => {
  const page = await openPanel("operations/send-email");
  const fail = async (name: string): Promise<string> => {
    await addFailure(page, name);
    await expect.poll(() => page.locator("#try-failures").innerText()).toContain("waiting: ");
    return (await send(page)).status;
  };
  expect(await fail("503")).toBe("503 Service Unavailable");
  expect(await fail("429")).toBe("429 Too Many Requests");
  expect(await fail("cut")).toBe("No response");
  expect((await send(page)).status).toBe("202 Accepted");
});

test("failures are added in numbers that the browser accepts, and cleared", async () => {
  const page = await openPanel("operations/get-me");
  const status = page.locator("#try-failures").getByRole("status");
  // None is chosen, and then the number is wrong.
  await button(page, "Add").click();
  for (const times of ["0", "9"]) {
    await page.locator("#try-times").fill(times);
    await addFailure(page, "503");
  }
  await expect.poll(() => status.innerText()).toBe("waiting: 503 × 9");
  await button(page, "Clear").click();
  await expect.poll(() => status.innerText()).toBe("none waiting");
  expect((await send(page)).status).toBe("200 OK");
});

test("a link replays the requests, the failures and the clock, with the same ids", async () => {
  const page = await openPanel("operations/send-email");
  const first = await send(page);
  await button(page, "+1 day").click();
  await addFailure(page, "503");
  expect((await send(page)).status).toBe("503 Service Unavailable");
  await button(page, "Copy link").click();
  await expect.poll(() => page.url()).toContain("#try=");
  const again = await open("");
  await again.goto(page.url());
  await showsResponse(again, "503");
  await messages(again).first().locator("summary").click();
  await expect.poll(() => messages(again).first().innerText()).toContain(JSON.parse(first.body).id);
  expect(await again.locator(".clock time").innerText()).toMatch(/^2027-02-01 09:/);
});

test("the next page of the tab has the state, and Reset removes it", async () => {
  const page = await openPanel("operations/send-email");
  await send(page);
  await page.goto(urlOf("operations/get-email"));
  await tryIt(page).click();
  // The sent message, and the one that the demo accounts start with.
  await expect.poll(() => messages(page).count()).toBe(2);
  await expect.poll(() => messages(page).first().innerText()).toContain("receipt");
  await button(page, "Reset").click();
  await expect.poll(() => page.locator(".outbox").innerText()).toContain("Nothing was sent yet");
});

test("an error links to its row on the page of errors", async () => {
  const page = await openPanel("operations/get-me");
  await field(page, "API key").selectOption("");
  await send(page);
  await page.getByRole("link", { name: "What 401 unauthorized means" }).click();
  await page.waitForURL("**/errors/#401-unauthorized");
  expect(await page.locator("[id='401-unauthorized']").count()).toBe(1);
});

test("another operation begins without the response of the one before", async () => {
  const page = await openPanel("operations/send-email");
  await send(page);
  await page.getByLabel("Operation", { exact: true }).selectOption("getMe");
  expect(await page.locator("#sandbox").innerText()).not.toContain("202 Accepted");
});

test("the keyboard is enough, and Escape closes the sandbox", async () => {
  const page = await open("operations/send-email");
  await tryIt(page).focus();
  await page.keyboard.press("Enter");
  await running(page);
  await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Sandbox");
  const focused = () =>
    page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.textContent");
  for (let tabs = 0; tabs < 20 && (await focused()) !== "Request body"; tabs += 1)
    await page.keyboard.press("Tab");
  await page.keyboard.press("Control+Enter");
  await showsResponse(page, "202 Accepted");
  await button(page, "Close the sandbox").press("Enter");
  expect(await bench(page).count()).toBe(0);
  expect(await focused()).toBe("Try it");
  await page.keyboard.press("Enter");
  await running(page);
  await page.keyboard.press("Escape");
  expect(await bench(page).count()).toBe(0);
});

test("on a phone the sandbox begins with the request, and one button to try it is visible at a time", async () => {
  const page = await open("operations/send-email", { viewport: { width: 390, height: 844 } });
  const bar = page.locator(".try-bar button");
  await tryIt(page).scrollIntoViewIfNeeded();
  await expect.poll(() => bar.isVisible()).toBe(false);
  await page.evaluate("scrollTo(0, 0)");
  await expect.poll(() => bar.isVisible()).toBe(true);
  await bar.click();
  await running(page);
  const { y = -1 } = (await button(page, "Send").boundingBox()) ?? {};
  expect(y).toBeGreaterThan(0);
  expect(y).toBeLessThan(844);
});

test("on the narrowest phone the page is not wider than the screen, so that the button to close is on it", async () => {
  const page = await openPanel("operations/send-email", { viewport: { width: 320, height: 700 } });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
  const { x = 320, width = 0 } = (await button(page, "Close").boundingBox()) ?? {};
  expect(x + width).toBeLessThanOrEqual(320);
});

test("the outbox shows the scheduled message of the demo account, and that it is canceled", async () => {
  const page = await openPanel("operations/cancel-email");
  const outbox = page.locator("#try-outbox");
  await expect
    .poll(() => outbox.innerText())
    .toMatch(/Nothing was sent yet\. The demo accounts start with:\s+Our spring bread is here\s+scheduled/);
  expect((await send(page)).status).toBe("200 OK");
  await expect.poll(() => outbox.innerText()).toMatch(/Our spring bread is here\s+canceled/);
});

test("the first page opens the request that it shows", async () => {
  const page = await openPanel("");
  const shown = await page.locator(".exchange > .request pre code").innerText();
  const body = await field(page, "Request body").innerText();
  expect(JSON.parse(body)).toEqual(JSON.parse(/-d '([^']+)'/.exec(shown)?.[1] ?? ""));
});

test.each([1200, 1440, 1920])("the sandbox beside the first page covers nothing at %i px", async (width) => {
  const page = await openPanel("", { viewport: { width, height: 900 } });
  const boxOf = (selector: string) => page.locator(selector).first().boundingBox();
  const lead = await boxOf(".sl-markdown-content > p");
  const links = await boxOf(".go a");
  expect(links?.y).toBeGreaterThanOrEqual((lead?.y ?? 0) + (lead?.height ?? 0));
  expect((await boxOf("[data-try] button"))?.height).toBeLessThan(40);
});

test("JSON in the sandbox has the colors of the code on the page", async () => {
  const page = await openPanel("operations/send-email", { colorScheme: "light" });
  await send(page);
  await response(page).locator(".k").first().waitFor();
  const colorOf = (selector: string, part = "") =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}'), '${part}').color`);
  const onPage = '.panel.response pre[data-language="json"] .ec-line:nth-child(2) .indent + span';
  expect(await colorOf("#try-response .k")).toBe(await colorOf(onPage));
  expect(await colorOf("#try-response .k")).toBe("rgb(11, 95, 107)");
  expect(await colorOf(".bench .edit", "::highlight(try-k)")).toBe("rgb(143, 211, 220)");
});
