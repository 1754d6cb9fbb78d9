import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../../sandbox/index.ts";
import { publishedDocument } from "../../../scripts/docs/config/document.ts";
import { siteConfig } from "../../../scripts/docs/config/site-config.ts";
import { dereference } from "../../../scripts/document/references.ts";
import type { ResponseObject } from "../../../scripts/document/types.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import {
  addFailure,
  bench,
  button,
  chooseOwn,
  field,
  inPanel,
  messages,
  send,
  showsResponse,
} from "./panel.ts";

const { openPanel } = inPanel();

const focused = (page: Page): Promise<string> =>
  page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.textContent");

test.each(["the mouse", "Enter", "Control+Enter in the body"])(
  "the focus stays after Send with %s, and Escape closes the sandbox",
  async (how) => {
    const page = await openPanel("operations/send-email");
    const inBody = how.endsWith("body");
    if (how === "the mouse") await button(page, "Send").click();
    else await (inBody ? field(page, "Request body") : button(page, "Send")).press(how.split(" ")[0] ?? "");
    await showsResponse(page, "202 Accepted");
    expect(await focused(page)).toBe(inBody ? "Request body" : "Send");
    await page.keyboard.press("Escape");
    expect(await bench(page).count()).toBe(0);
    expect(await focused(page)).toBe("Try it");
  },
);

test("Escape closes the sandbox after a button that had the focus is gone", async () => {
  const page = await openPanel("operations/send-email");
  await addFailure(page, "503");
  await button(page, "Clear").press("Enter");
  await button(page, "Clear").waitFor({ state: "hidden" });
  await page.keyboard.press("Escape");
  expect(await bench(page).count()).toBe(0);
});

test("Escape in the search closes the search only", async () => {
  const page = await openPanel("operations/send-email");
  await page.keyboard.press("Control+k");
  await page.locator("site-search dialog[open]").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("site-search dialog[open]").waitFor({ state: "detached" });
  expect(await bench(page).count()).toBe(1);
});

test("Escape in the list of pages closes the list only", async () => {
  const page = await openPanel("operations/send-email", { viewport: { width: 390, height: 900 } });
  await page.evaluate("document.activeElement.blur(); document.querySelector('#nav').showPopover()");
  await page.evaluate("document.activeElement.blur()");
  await page.keyboard.press("Escape");
  await page.locator("#nav:popover-open").waitFor({ state: "detached" });
  expect(await bench(page).count()).toBe(1);
  await page.keyboard.press("Escape");
  expect(await bench(page).count()).toBe(0);
});

test("a simulated recipient replaces all recipients of the body", async () => {
  const page = await openPanel("operations/send-email");
  await field(page, "Example").selectOption({ label: "All fields" });
  await field(page, "Recipient").selectOption("bounce@simulator.example");
  const body = JSON.parse(await field(page, "Request body").innerText());
  expect(body).toMatchObject({ to: ["bounce@simulator.example"] });
  expect(Object.keys(body)).toEqual(expect.not.arrayContaining(["cc", "bcc"]));
});

test("a second click while the response is awaited sends nothing", async () => {
  const page = await openPanel("operations/send-email");
  await addFailure(page, "delay");
  await button(page, "Send").click();
  await button(page, "Send").click({ force: true });
  await showsResponse(page, "202 Accepted");
  const saved = await page.evaluate<string>(`sessionStorage.getItem("try-scenario")`);
  expect(saved.match(/"do":"send"/g)).toHaveLength(1);
});

test("the idempotency key is that of the sample, and a changed request gets another one", async () => {
  const page = await openPanel("operations/send-email");
  const key = field(page, "Idempotency-Key");
  const sample = await page.locator(".code-column .request pre code").first().innerText();
  const first = await key.inputValue();
  expect(sample).toContain(`Idempotency-Key: ${first}`);
  expect((await send(page)).text).not.toContain("idempotent-replayed");
  expect((await send(page)).text).toContain("idempotent-replayed");
  await field(page, "Recipient").selectOption("bounce@simulator.example");
  expect((await send(page)).status).toBe("202 Accepted");
  expect(await key.inputValue()).toBe(`${first}-2`);
  await key.fill(first);
  expect((await send(page)).status).toBe("409 Conflict");
});

test("a request of an earlier page has its key: a changed one gets another", async () => {
  const page = await openPanel("operations/send-email");
  await field(page, "Recipient").selectOption("bounce@simulator.example");
  await send(page);
  await page.reload();
  await page.locator("[data-try] button").first().click();
  await page.locator(".bench-bar .state.good").waitFor();
  expect((await send(page)).status).toBe("202 Accepted");
});

test("the request of the first page has no idempotency key", async () => {
  const page = await openPanel("");
  expect(await field(page, "Idempotency-Key").inputValue()).toBe("");
});

test("no failure is chosen at first, and a simulated one has the body that the document gives", async () => {
  const page = await openPanel("operations/send-email");
  expect(await bench(page).getByRole("radio", { checked: true }).count()).toBe(0);
  const document = await publishedDocument(siteConfig());
  const responses = document.paths["/api/v1/emails"]?.post?.responses ?? {};
  for (const status of ["500", "502", "503"]) {
    await addFailure(page, status);
    await expect.poll(() => page.locator("#try-failures").innerText()).toContain("waiting: ");
    const { body } = await send(page);
    const { content } = dereference<ResponseObject>(document, responses[status] as ResponseObject);
    const { error } = JSON.parse(body);
    expect(JSON.stringify(content)).toContain(JSON.stringify({ ...error, request_id: "req_01JD7Q2M4T8VX3" }));
  }
});

/** Runs a command in a shell. */
async function run(command: string, env: Record<string, string>): Promise<string> {
  const { stdout } = await promisify(execFile)(
    "sh",
    ["-c", command.replace("curl ", "curl --silent --include ")],
    {
      env: { PATH: process.env.PATH ?? "", ...env },
    },
  );
  return stdout;
}

const copied = (page: Page): Promise<string> => page.evaluate("navigator.clipboard.readText()");
const permissions = ["clipboard-read", "clipboard-write"];

test("the request as curl is that of the page, and a shell sends it to the sandbox", async () => {
  const page = await openPanel("operations/send-email", { permissions });
  await button(page, "Copy as curl").press("Enter");
  await button(page, "Copied").waitFor();
  const shown = await page.locator(".code-column .request pre code").first().innerText();
  const plain = (command: string): string => command.replaceAll(/--data(-raw)?|\s+/g, " ");
  expect(plain(await copied(page)).trim()).toBe(plain(shown).trim());
  await field(page, "API key").selectOption("");
  await button(page, "Copy as curl").click();
  await expect.poll(() => copied(page)).not.toContain("Authorization");
  const sandbox = await startSandbox({});
  await chooseOwn(page, sandbox.url);
  await field(page, "API key").fill("sandbox_all_2f7c");
  await button(page, "Copy as curl").click();
  await expect.poll(() => copied(page)).toContain(sandbox.url);
  const command = await copied(page);
  expect(command).not.toContain("sandbox_all_2f7c");
  expect(await run(command, { EMAIL_API_KEY: "sandbox_all_2f7c" })).toContain("202 Accepted");
  await sandbox.close();
});

/** A server that keeps what it receives. */
async function startRecorder() {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    const { url, headers } = request;
    const values = [url, headers["idempotency-key"], headers.authorization, await text(request)];
    received.push(...values.map(String));
    response.end();
  });
  server.on("connection", () => connections.push(Date.now()));
  const connections: number[] = [];
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { received, connections, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test("hostile values as curl arrive unchanged, and a shell runs none of them", async () => {
  const folder = temporaryFolder();
  const page = await openPanel("operations/send-email", { permissions });
  const { received, url } = await startRecorder();
  const hostile = `';touch ${folder}/1;'$(touch ${folder}/2)\`touch ${folder}/3\`"$HOME\\n!! [1-3]{a,b} \\`;
  const bodies = [
    `@/etc/passwd ${hostile}`,
    `{"to": "\n  --data-binary '${hostile}'Authorization: Bearer EMAIL_API_KEY'" }`,
  ];
  for (const body of bodies) {
    await chooseOwn(page, `${url}/a'b[1-2]`);
    await field(page, "Idempotency-Key").fill(hostile);
    await field(page, "Request body").fill(body);
    await button(page, "Copy as curl").click();
    await expect.poll(() => copied(page)).toContain(url);
    await run(await copied(page), { EMAIL_API_KEY: hostile });
    expect(received.splice(0)).toEqual(["/a'b[1-2]/api/v1/emails", hostile, `Bearer ${hostile}`, body]);
  }
  await field(page, "Operation").selectOption("getContact");
  await field(page, "email").fill(hostile);
  await button(page, "Copy as curl").click();
  await expect.poll(() => copied(page)).toContain("contacts");
  await run(await copied(page), { EMAIL_API_KEY: hostile });
  const path = `/a'b[1-2]/api/v1/newsletter/contacts/${encodeURIComponent(hostile)}`;
  expect(received).toEqual([path, "undefined", `Bearer ${hostile}`, ""]);
  // Without a key, nothing of the body becomes one.
  await field(page, "Server").selectOption("");
  await field(page, "API key").selectOption("");
  await field(page, "Operation").selectOption("sendEmail");
  await field(page, "Request body").fill(bodies[1] ?? "");
  await button(page, "Copy as curl").click();
  await expect.poll(() => copied(page)).toContain("/emails");
  const printed = await promisify(execFile)("sh", [
    "-c",
    (await copied(page)).replace("curl", "printf '%s\\n'"),
  ]);
  expect(printed.stdout).toContain(`--data-raw\n${bodies[1]}\n`);
  expect(printed.stdout).not.toContain("--header\nAuthorization");
  expect(readdirSync(folder)).toEqual([]);
});

test("an invalid base URL is not copied as curl, and the reason is shown", async () => {
  const page = await openPanel("operations/send-email", { permissions });
  await chooseOwn(page, "ftp://example");
  await button(page, "Copy as curl").click();
  await showsResponse(page, "must start with https://");
  await button(page, "Not copied").waitFor();
});

test("the HTML of a message is shown in a frame without scripts and remote content", async () => {
  const page = await openPanel("operations/send-email");
  const { received, connections, url } = await startRecorder();
  const html = `<link rel="preconnect" href="${url}"><link rel="stylesheet" href="${url}/a.css">
<meta http-equiv="refresh" content="0; url=${url}/refresh"><base href="${url}/">
<style>@import "${url}/b.css"; p { background: url("${url}/c.png") } h1 { color: rgb(1, 2, 3) }</style>
<h1 onclick="parent.pwned = 1">Hello</h1><p background="${url}/d.png">Ada</p>
<script>parent.pwned = 1; document.body.append("ran")</script><img src="${url}/e.png" onerror="parent.pwned = 1">
<iframe src="${url}/f"></iframe><object data="${url}/g"></object><video poster="${url}/h.png" src="${url}/i.mp4"></video>
<svg><a href="${url}/j"><text y="20">Svg</text></a><image href="${url}/k.png"/></svg><form action="${url}/l"><button>Go</button></form>
<template shadowrootmode="open"><a href="${url}/m">Shadow</a></template><a href="${url}/n" target="_top" ping="${url}/o">Link</a>`;
  const body = {
    from: "hello@bakery.example",
    to: ["ada@readers.example"],
    subject: "Hi",
    html,
    text: "Plain",
  };
  await field(page, "Request body").fill(JSON.stringify(body));
  expect((await send(page)).status).toBe("202 Accepted");
  await messages(page).first().locator("summary").click();
  const frame = page.frameLocator('iframe[title="HTML of the message"]');
  expect(
    await frame.locator("h1").evaluate((one) => one.ownerDocument.defaultView?.getComputedStyle(one).color),
  ).toBe("rgb(1, 2, 3)");
  expect(await page.locator(".outbox h4").allInnerTexts()).toEqual(["HTML", "Text"]);
  expect(await page.locator(".outbox pre").innerText()).toBe("Plain");
  await frame.getByText("Link").click();
  await frame.getByRole("button", { name: "Go" }).click();
  await frame.locator("h1").click();
  // What was requested before arrives before.
  await page.evaluate(`fetch("${url}/last", { mode: "no-cors" })`);
  expect(await frame.locator("body").innerText()).not.toMatch(/ran|Svg|Shadow/);
  expect(await page.evaluate("window.pwned")).toBeUndefined();
  expect(received.filter((_, index) => index % 4 === 0)).toEqual(["/last"]);
  expect(connections).toHaveLength(1);
  // Scripts, forms, popups and navigation are off. Its origin only lets the page hear Escape.
  expect(await page.locator("iframe").getAttribute("sandbox")).toBe("allow-same-origin");
  expect(await page.evaluate("document.activeElement.tagName")).toBe("IFRAME");
  await page.keyboard.press("Escape");
  await expect.poll(() => bench(page).count()).toBe(0);
});

test("the HTML of a message shows the images that are attached, and the alternative text of others", async () => {
  const page = await openPanel("operations/send-email");
  const { received, url } = await startRecorder();
  const content = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
  const body = {
    from: "hello@bakery.example",
    to: ["ada@readers.example"],
    subject: "Hi",
    html: `<img src="cid:logo%40bakery" alt="Logo"><img src="cid:other" alt="Other"><img src="${url}/a.png" alt="Remote">`,
    attachments: [{ filename: "logo.gif", content_id: "logo@bakery", content_type: "image/gif", content }],
  };
  await field(page, "Request body").fill(JSON.stringify(body));
  expect((await send(page)).status).toBe("202 Accepted");
  await messages(page).first().locator("summary").click();
  const frame = page.frameLocator('iframe[title="HTML of the message"]');
  const images = frame.locator("img");
  await expect
    .poll(() => images.evaluateAll((all) => all.map((one) => Object(one).naturalWidth)))
    .toEqual([1]);
  expect(await images.getAttribute("src")).toBe(`data:image/gif;base64,${content}`);
  expect(await frame.locator("body").innerText()).toBe("OtherRemote");
  expect(received).toEqual([]);
});

test("lines that are entered stay lines, and keep their colors", async () => {
  const page = await openPanel("operations/send-email", { permissions });
  const editor = field(page, "Request body");
  await editor.fill("");
  for (const line of ["{", '  "to": 1', "}"]) {
    await editor.pressSequentially(line);
    await editor.press("Enter");
  }
  const colored =
    "[...CSS.highlights.get('try-k')].map((one) => one.startContainer.data.slice(one.startOffset, one.endOffset))";
  expect(await page.evaluate(colored)).toEqual(['"to"']);
  await button(page, "Copy as curl").click();
  await expect.poll(() => copied(page)).toContain('\'{\n  "to": 1\n}');
});
