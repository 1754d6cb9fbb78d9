import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeScenario } from "../../../docs/site/src/try/scenario.ts";
import type { Step } from "../../../docs/site/src/try/types.ts";
import { exampleTime } from "../../../generated/examples.ts";
import { hasBrowser, openBrowser } from "../../sandbox/pages/browser.ts";
import { tryIt, urlOf } from "./visit.ts";

const inBrowser = test.skipIf(!hasBrowser);

let browser: Browser;
beforeAll(async () => {
  if (hasBrowser) browser = await openBrowser();
});
afterAll(() => browser?.close());

/** A page whose unhandled errors are collected. @param script runs before those of the page */
async function openPage(url: string, script = ""): Promise<{ page: Page; errors: string[] }> {
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  if (script !== "") await page.addInitScript({ content: script });
  await page.goto(url);
  return { page, errors };
}

const button = (page: Page, name: string): Locator => page.locator(".bench").getByRole("button", { name });
const responseText = (page: Page): Promise<string> => page.locator("#try-response").innerText();
const running = (page: Page): Promise<void> => page.locator(".bench-bar .state.good").waitFor();

/** Each message to the worker waits: there is time for a click during a replay. */
const slowWorker = `
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message) { setTimeout(() => post.call(this, message), 40); };
`;

const step: Omit<Step & { do: "send" }, "at"> = {
  ...{ do: "send", operation: "sendEmail", key: "bakery.all", idempotencyKey: "", parameters: {} },
  body: JSON.stringify({
    from: "hello@bakery.example",
    to: ["ada@readers.example"],
    subject: "Replayed",
    text: "Hi",
  }),
};

inBrowser("a reset during a replay ends it: the new sandbox gets none of its steps", async () => {
  const steps = Array.from({ length: 20 }, (_, index) => ({ ...step, at: index }) as Step);
  const code = await writeScenario({ start: Date.parse(exampleTime), steps });
  const { page, errors } = await openPage(`${urlOf("operations/send-email")}#try=${code}`, slowWorker);
  await expect.poll(() => responseText(page)).toContain("202 Accepted");
  await button(page, "Reset").click();
  await running(page);
  // The steps that would be left take longer than this.
  await page.waitForTimeout(2_000);
  expect(await page.locator(".outbox strong", { hasText: "Replayed" }).count()).toBe(0);
  expect(await responseText(page)).toBe("The sandbox is in its state after the start.");
  expect(errors).toEqual([]);
});

inBrowser(
  "a request that waits when the sandbox is reset is not shown, and another can be sent",
  async () => {
    const { page, errors } = await openPage(urlOf("operations/get-me"), slowWorker);
    await tryIt(page).click();
    await running(page);
    await button(page, "Send").click();
    await button(page, "Reset").click();
    await running(page);
    expect(await responseText(page)).toBe("The sandbox is in its state after the start.");
    await button(page, "Send").click();
    await expect.poll(() => responseText(page)).toContain("200 OK");
    expect(errors).toEqual([]);
  },
);

inBrowser("a response is not shown if the sandbox is reset while its outbox is read", async () => {
  const script = `
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message) {
      const target = message.request?.target ?? "";
      if (target === "/api/v1/me") document.documentElement.classList.add("sent");
      setTimeout(() => post.call(this, message), target.startsWith("/sandbox/outbox?") ? 500 : 0);
    };
  `;
  const { page, errors } = await openPage(urlOf("operations/get-me"), script);
  await tryIt(page).click();
  await running(page);
  await button(page, "Send").click();
  await page.locator("html.sent").waitFor();
  await page.waitForTimeout(100);
  await button(page, "Reset").click();
  await running(page);
  await page.waitForTimeout(1_000);
  expect(await responseText(page)).toBe("The sandbox is in its state after the start.");
  expect(errors).toEqual([]);
});

inBrowser("a request before the sandbox has started says so", async () => {
  // The link is never read.
  const script = "Blob.prototype.stream = () => new ReadableStream();";
  const { page, errors } = await openPage(`${urlOf("operations/get-me")}#try=abc`, script);
  for (const name of ["Send", "Copy link"]) {
    await button(page, name).click();
    await expect.poll(() => responseText(page)).toBe("The sandbox is starting. Try again in a moment.");
  }
  await button(page, "Reset").click();
  await running(page);
  await button(page, "Send").click();
  await expect.poll(() => responseText(page)).toContain("200 OK");
  expect(errors).toEqual([]);
});

inBrowser("a message of the outbox that cannot be read says why", async () => {
  // The worker closes the connection.
  const script = `
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message) {
      if (!message.request?.target.startsWith("/sandbox/outbox/msg_")) return post.call(this, message);
      this.onmessage(new MessageEvent("message", { data: { id: message.id } }));
    };
  `;
  const { page, errors } = await openPage(urlOf("operations/send-email"), script);
  await tryIt(page).click();
  await running(page);
  await button(page, "Send").click();
  await page.locator(".outbox summary").first().click();
  const note = page.locator(".outbox .message .note").first();
  expect(await note.innerText()).toBe("The message could not be read: the sandbox has ended");
  expect(errors).toEqual([]);
});

inBrowser("an error of the reader's own server links to its row, and a base URL is needed", async () => {
  const { page } = await openPage(urlOf("operations/get-me"));
  await page.route("https://own.example/**", (route) =>
    route.fulfill({ status: 401, json: { error: { type: "unauthorized", message: "No key." } } }),
  );
  await tryIt(page).click();
  await running(page);
  await page.getByLabel("Server").selectOption("own");
  await page.getByLabel("Base URL").fill("");
  await button(page, "Send").click();
  await expect.poll(() => responseText(page)).toContain("Enter the base URL of your server");
  await page.getByLabel("Base URL").fill("https://own.example");
  await button(page, "Send").click();
  await page.getByRole("link", { name: "What 401 unauthorized means" }).waitFor();
});

inBrowser(
  "a response of the reader's own server is compared with the document, without its headers",
  async () => {
    const { page } = await openPage(urlOf("operations/get-me"));
    const error = { type: "unauthorized", message: "No key.", request_id: "req_1" };
    let body: object = { error };
    await page.route("https://own.example/**", (route) => route.fulfill({ status: 401, json: body }));
    await tryIt(page).click();
    await running(page);
    await page.getByLabel("Server").selectOption("own");
    await page.getByLabel("Base URL").fill("https://own.example");
    await button(page, "Send").click();
    await expect.poll(() => responseText(page)).toContain("Status and body match the schema of 401");
    body = error;
    await button(page, "Send").click();
    await expect
      .poll(() => responseText(page))
      .toContain("Does not match the schema of 401: must have required property 'error'");
  },
);

inBrowser(
  "the id in a response of the reader's own server, of any form, is that of the next request",
  async () => {
    const { page } = await openPage(urlOf("operations/send-email"));
    await page.route("https://own.example/**", (route) =>
      route.fulfill({ status: 202, json: { id: "7-a.b" } }),
    );
    await tryIt(page).click();
    await running(page);
    await page.getByLabel("Server").selectOption("own");
    await page.getByLabel("Base URL").fill("https://own.example");
    await button(page, "Send").click();
    await expect.poll(() => responseText(page)).toContain("7-a.b");
    await page.getByLabel("Operation").selectOption("getEmail");
    expect(await page.getByLabel("id", { exact: true }).inputValue()).toBe("7-a.b");
  },
);

inBrowser(
  "the outbox and clock of the sandbox are hidden beside the reader's own server, also on a phone",
  async () => {
    const { page } = await openPage(urlOf("operations/send-email"));
    await tryIt(page).click();
    await running(page);
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      for (const [server, isShown] of [
        ["", true],
        ["own", false],
      ] as const) {
        await page.getByLabel("Server").selectOption(server);
        expect(await page.locator("#try-outbox").isVisible(), `${width} px`).toBe(isShown);
      }
    }
  },
);

inBrowser("the choice of another server keeps the request and clears the response", async () => {
  const { page } = await openPage(urlOf("operations/send-email"));
  await tryIt(page).click();
  await running(page);
  await page.getByLabel("Example").selectOption("Message from a template");
  const editor = page.getByLabel("Request body");
  const body = await editor.innerText();
  expect(body).toContain("template_id");
  await button(page, "Send").click();
  await expect.poll(() => responseText(page)).toContain("202 Accepted");
  for (const server of ["own", ""]) {
    await page.getByLabel("Server").selectOption(server);
    expect(await responseText(page)).toBe("Send the request to see its response.");
    expect(await page.getByLabel("Example").locator("option:checked").innerText()).toBe(
      "Message from a template",
    );
    expect(await editor.innerText()).toBe(body);
  }
});

inBrowser("what CORS needs of the reader's own server is there before a request is sent", async () => {
  const { page } = await openPage(urlOf("operations/send-email"));
  await tryIt(page).click();
  await running(page);
  await page.getByLabel("Server").selectOption("own");
  await page.locator(".cors summary").click();
  const text = await page.locator(".cors").innerText();
  expect(text).toContain("Access-Control-Allow-Methods: POST");
  expect(text).toContain(`Access-Control-Allow-Origin: ${new URL(urlOf("")).origin}`);
});

inBrowser("what is done during a replay comes after its steps", async () => {
  const steps = Array.from({ length: 5 }, (_, index) => ({ ...step, at: index }) as Step);
  const code = await writeScenario({ start: Date.parse(exampleTime), steps });
  const { page, errors } = await openPage(`${urlOf("operations/send-email")}#try=${code}`, slowWorker);
  await expect.poll(() => responseText(page)).toContain("202 Accepted");
  await button(page, "+1 hour").click();
  await running(page);
  const done = async (): Promise<string[]> => {
    const saved = await page.evaluate<string>(`sessionStorage.getItem("try-scenario")`);
    return (JSON.parse(saved) as { steps: Step[] }).steps.map((one) => one.do);
  };
  await expect.poll(done).toEqual([...Array(5).fill("send"), "advance"]);
  expect(errors).toEqual([]);
});

inBrowser("a sandbox that is closed while it starts stays closed until it is opened again", async () => {
  const { page, errors } = await openPage(urlOf("operations/get-me"), slowWorker);
  await tryIt(page).click();
  await button(page, "Close the sandbox").click();
  // The start takes less than this.
  await page.waitForTimeout(1_500);
  expect(await page.locator(".bench").count()).toBe(0);
  expect(await tryIt(page).evaluate((one) => one.matches(":focus"))).toBe(true);
  await tryIt(page).click();
  await running(page);
  expect(errors).toEqual([]);
});

inBrowser("a base URL with a query is not sent to", async () => {
  const { page } = await openPage(urlOf("operations/get-me"));
  await tryIt(page).click();
  await running(page);
  await page.getByLabel("Server").selectOption("own");
  await page.getByLabel("Base URL").fill("https://own.example/?a=1");
  await button(page, "Send").click();
  await expect.poll(() => responseText(page)).toContain("must have no ? and no #");
});

inBrowser("a damaged link says so in the panel", async () => {
  const { page, errors } = await openPage(`${urlOf("operations/get-me")}#try=broken!!`);
  await running(page);
  await expect.poll(() => responseText(page)).toContain("This link has no valid scenario");
  expect(errors).toEqual([]);
});
