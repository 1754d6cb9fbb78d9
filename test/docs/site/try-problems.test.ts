import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { writeScenario } from "../../../docs/site/src/try/scenario.ts";
import type { Step } from "../../../docs/site/src/try/types.ts";
import { exampleTime } from "../../../generated/examples.ts";
import { startSandbox } from "../../../sandbox/index.ts";
import {
  bench,
  button,
  chooseOwn,
  field,
  inPanel,
  messages,
  response,
  running,
  send,
  showsResponse,
  tryIt,
} from "./panel.ts";
import { siteUrl } from "./visit.ts";

const { open, openPanel } = inPanel();

/** Each message to the worker waits, for some milliseconds. */
const delayed = (milliseconds: number): string => `
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message) { setTimeout(() => post.call(this, message), ${milliseconds}); };
`;

/** There is time for a click during a replay. */
const slowWorker = delayed(40);

const initial = "The sandbox is in its state after the start.";

/** A page whose link sends a message this many times, slowly; it has sent the first. */
async function openReplay(sends: number, script = slowWorker): Promise<Page> {
  const body = {
    ...{ from: "hello@bakery.example", to: ["ada@readers.example"] },
    ...{ subject: "Replayed", text: "Hi" },
  };
  const steps = Array.from(
    { length: sends },
    (_, at): Step => ({
      ...{ do: "send", at, operation: "sendEmail", key: "bakery.all", idempotencyKey: "", parameters: {} },
      body: JSON.stringify(body),
    }),
  );
  const code = await writeScenario({ start: Date.parse(exampleTime), steps });
  const page = await open(`operations/send-email#try=${code}`, { script });
  await showsResponse(page, "202 Accepted");
  return page;
}

test("a link leads to the same ids on a machine where reading the outbox takes longer than its interval", async () => {
  const bodies: string[] = [];
  for (const milliseconds of [0, 300]) {
    const page = await openReplay(3, delayed(milliseconds));
    await running(page);
    bodies.push(await response(page).locator("pre").innerText());
  }
  expect(bodies[1]).toBe(bodies[0]);
});

test("a step of a link that fails says why", async () => {
  const steps: Step[] = [{ do: "confirm", at: 0, email: "nobody@readers.example", list: 1 }];
  const code = await writeScenario({ start: Date.parse(exampleTime), steps });
  const page = await openPanel(`operations/get-me#try=${code}`);
  await showsResponse(page, "nobody@readers.example");
});

test("a reset during a replay ends it: the new sandbox gets none of its steps", async () => {
  const page = await openReplay(20);
  await button(page, "Reset").click();
  await running(page);
  // The steps that would be left take longer than this.
  await page.waitForTimeout(2_000);
  expect(await page.locator(".outbox strong", { hasText: "Replayed" }).count()).toBe(0);
  expect(await response(page).innerText()).toBe(initial);
});

test("what is done during a replay comes after its steps", async () => {
  const page = await openReplay(5);
  await button(page, "+1 hour").click();
  await running(page);
  const done = async (): Promise<string[]> => {
    const saved = await page.evaluate<string>(`sessionStorage.getItem("try-scenario")`);
    return (JSON.parse(saved) as { steps: Step[] }).steps.map((one) => one.do);
  };
  await expect.poll(done).toEqual([...Array(5).fill("send"), "advance"]);
});

test("a request that waits when the sandbox is reset is not shown, and another can be sent", async () => {
  const page = await openPanel("operations/get-me", { script: slowWorker });
  await button(page, "Send").click();
  await button(page, "Reset").click();
  await running(page);
  expect(await response(page).innerText()).toBe(initial);
  expect((await send(page)).status).toBe("200 OK");
});

test("a response is not shown if the sandbox is reset while its outbox is read", async () => {
  const script = `
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message) {
      const target = message.request?.target ?? "";
      if (target === "/api/v1/me") document.documentElement.classList.add("sent");
      setTimeout(() => post.call(this, message), target.startsWith("/sandbox/outbox?") ? 500 : 0);
    };
  `;
  const page = await openPanel("operations/get-me", { script });
  await button(page, "Send").click();
  await page.locator("html.sent").waitFor();
  await page.waitForTimeout(100);
  await button(page, "Reset").click();
  await running(page);
  await page.waitForTimeout(1_000);
  expect(await response(page).innerText()).toBe(initial);
});

test("a request before the sandbox has started says so", async () => {
  // The link is never read.
  const script = "Blob.prototype.stream = () => new ReadableStream();";
  const page = await open("operations/get-me#try=abc", { script });
  for (const name of ["Send", "Copy link"]) {
    await button(page, name).click();
    await showsResponse(page, "The sandbox is starting. Try again in a moment.");
  }
  await button(page, "Reset").click();
  await running(page);
  expect((await send(page)).status).toBe("200 OK");
});

test("a message of the outbox that cannot be read says why", async () => {
  // The worker closes the connection.
  const script = `
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message) {
      if (!message.request?.target.startsWith("/sandbox/outbox/msg_")) return post.call(this, message);
      this.onmessage(new MessageEvent("message", { data: { id: message.id } }));
    };
  `;
  const page = await openPanel("operations/send-email", { script });
  // The message comes before those that were there at the start.
  await send(page);
  await messages(page).locator("summary").first().click();
  const note = page.locator(".outbox .message .note").first();
  expect(await note.innerText()).toBe("The message could not be read: the sandbox has ended");
});

test("a message that is opened while the outbox changes stays open", async () => {
  // The outbox changes in the task of the click, so before the event that says what was opened.
  const script = `
    setInterval = () => 0;
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message) {
      const receive = this.onmessage;
      if (message.request?.target.startsWith("/sandbox/outbox/"))
        this.onmessage = (event) => {
          const outbox = document.querySelector(".clicked");
          outbox?.querySelector("summary").click();
          outbox?.classList.remove("clicked");
          this.onmessage = receive;
          this.onmessage(event);
        };
      return post.call(this, message);
    };
  `;
  const page = await openPanel("operations/send-email", { script });
  await send(page);
  const message = messages(page).first();
  await message.evaluate((one) => one.parentElement?.classList.add("clicked"));
  const before = await message.locator(".state").innerText();
  await button(page, "+1 hour").click();
  await message.locator(".message dl").waitFor();
  expect(await message.locator(".state").innerText()).not.toBe(before);
});

test("a sandbox that is closed while it starts stays closed until it is opened again", async () => {
  const page = await open("operations/get-me", { script: slowWorker });
  await tryIt(page).click();
  await button(page, "Close the sandbox").click();
  // The start takes less than this.
  await page.waitForTimeout(1_500);
  expect(await bench(page).count()).toBe(0);
  expect(await tryIt(page).evaluate((one) => one.matches(":focus"))).toBe(true);
  await tryIt(page).click();
  await running(page);
});

test.each([
  ["is a letter", "x"],
  ["has other characters", "broken!!"],
  ["is too large", "a".repeat(30_000)],
  ["has something else", "q1YqSy1RslIyMtJRKkkFAA"],
])("a link whose scenario %s starts the sandbox without it", async (_, code) => {
  const page = await openPanel(`operations/get-me#try=${code}`);
  await showsResponse(page, "This link has no valid scenario");
});

test("an error of the reader's own server links to its row, and its body is compared with the document, without its headers", async () => {
  const page = await openPanel("operations/get-me");
  const error = { type: "unauthorized", message: "No key.", request_id: "req_1" };
  let body: object = { error };
  await page.route("https://own.example/**", (route) => route.fulfill({ status: 401, json: body }));
  await chooseOwn(page, "https://own.example");
  await button(page, "Send").click();
  await showsResponse(page, "Status and body match the schema of 401");
  await page.getByRole("link", { name: "What 401 unauthorized means" }).waitFor();
  body = error;
  await button(page, "Send").click();
  await showsResponse(page, "Does not match the schema of 401: must have required property 'error'");
});

test.each([
  ["", "Enter the base URL of your server"],
  ["ftp://example", "must start with https://"],
  ["https://own.example/?a=1", "must have no ? and no #"],
])("nothing is sent to the base URL %j", async (url, problem) => {
  const page = await openPanel("operations/get-me");
  await chooseOwn(page, url);
  await button(page, "Send").click();
  await showsResponse(page, problem);
});

test("a server of the reader that does not allow the page is named as a reason: CORS", async () => {
  const page = await openPanel("operations/send-email");
  const sandbox = await startSandbox({});
  await chooseOwn(page, sandbox.url);
  await field(page, "API key").fill("sandbox_all_2f7c");
  const { status, text } = await send(page);
  expect([status, text.includes("CORS")]).toEqual(["No response", true]);
  await sandbox.close();
});

test("what CORS needs of the reader's own server is there before a request is sent", async () => {
  const page = await openPanel("operations/send-email");
  await field(page, "Server").selectOption("own");
  await page.locator(".cors summary").click();
  const text = await page.locator(".cors").innerText();
  expect(text).toContain("Access-Control-Allow-Methods: POST");
  expect(text).toContain(`Access-Control-Allow-Origin: ${new URL(siteUrl).origin}`);
});

test("the id in a response of the reader's own server, of any form, is that of the next request", async () => {
  const page = await openPanel("operations/send-email");
  const json = { id: "7-a.b" };
  await page.route("https://own.example/**", (route) => route.fulfill({ status: 202, json }));
  await chooseOwn(page, "https://own.example");
  await button(page, "Send").click();
  await showsResponse(page, "7-a.b");
  await field(page, "Operation").selectOption("getEmail");
  expect(await field(page, "id").inputValue()).toBe("7-a.b");
});

test("the outbox and clock of the sandbox are hidden beside the reader's own server, also on a phone", async () => {
  const page = await openPanel("operations/send-email");
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const server of ["", "own"]) {
      await field(page, "Server").selectOption(server);
      expect(await page.locator("#try-outbox").isVisible(), `${width} px`).toBe(server === "");
    }
  }
});

test("the choice of another server keeps the request and clears the response", async () => {
  const page = await openPanel("operations/send-email");
  await field(page, "Example").selectOption("Message from a template");
  const editor = field(page, "Request body");
  const body = await editor.innerText();
  expect(body).toContain("template_id");
  expect((await send(page)).status).toBe("202 Accepted");
  for (const server of ["own", ""]) {
    await field(page, "Server").selectOption(server);
    expect(await response(page).innerText()).toBe("Send the request to see its response.");
    const example = field(page, "Example").locator("option:checked");
    expect(await example.innerText()).toBe("Message from a template");
    expect(await editor.innerText()).toBe(body);
  }
});
