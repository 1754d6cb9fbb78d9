import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { IdempotentRequestOptions } from "../../../client/src/index.ts";
import { type Sandbox, startSandbox } from "../../../sandbox/index.ts";
import { clientOf, keys } from "../rig.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ clock: { frozen: true, startAt: Date.parse("2026-11-21T10:00:00Z") } });
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

const client = (key: string = keys.all) => clientOf(sandbox, key);
const me = () => client().me().withResponse();
const control = (path: string, body: object) =>
  fetch(`${sandbox.url}/sandbox/${path}`, { method: "POST", body: JSON.stringify(body) });
const send = (more: object = {}, options?: IdempotentRequestOptions) =>
  client().emails.send(
    { from: "a@bakery.example", to: ["ada@readers.example"], subject: "Hello", text: "Hi", ...more },
    options,
  );

test("a simulated 429 has Retry-After, and says that it is simulated", async () => {
  await control("failures", { failure: "429", retry_after: 30 });
  await expect(me()).rejects.toMatchObject({
    status: 429,
    type: "rate_limited",
    retryAfter: 30,
    message: expect.stringContaining("simulated"),
  });
  expect((await me()).status).toBe(200);
});

test("only requests that meet all conditions fail", async () => {
  const body = { failure: "503", requests: "all", method: "GET", path: "/api/v1/me", key: keys.second };
  await control("failures", body);
  expect((await me()).status).toBe(200);
  expect((await send().withResponse()).status).toBe(202);
  await expect(client(keys.second).me()).rejects.toMatchObject({ status: 503 });
});

test("failures do not affect the control API and the pages", async () => {
  await control("failures", { failure: "503" });
  expect((await fetch(`${sandbox.url}/sandbox/clock`)).status).toBe(200);
  expect((await fetch(`${sandbox.url}/`)).status).toBe(200);
  await expect(me()).rejects.toMatchObject({ status: 503 });
});

test("a scheduled message is sent when the clock reaches its time", async () => {
  const { id } = await send({ scheduled_at: "2026-11-22T10:00:00Z" });
  const moved = await control("clock", { advance: "P1DT1M" });
  expect(await moved.json()).toMatchObject({ now: "2026-11-22T10:01:00.000Z" });
  const shown = await fetch(`${sandbox.url}/sandbox/outbox/${id}`);
  expect(await shown.json()).toMatchObject({ status: "delivered", sent_at: "2026-11-22T10:00:00.000Z" });
  const eml = await fetch(`${sandbox.url}/sandbox/outbox/${id}.eml`);
  expect(await eml.text()).toContain("Date: Sun, 22 Nov 2026 10:00:00 +0000\r\n");
});

test("nothing is sent to a suppressed email address", async () => {
  await control("suppress", { email: "Ada@readers.example" });
  await expect(send()).rejects.toMatchObject({ status: 422, type: "send_rejected" });
  await control("unsuppress", { email: "ada@readers.example" });
  expect((await send().withResponse()).status).toBe(202);
});

test("HEAD returns the response of GET without its body", async () => {
  const head = await fetch(`${sandbox.url}/`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

test("the control API also works in process, without a socket", async () => {
  const response = await sandbox.fetch("/sandbox/clock", { method: "POST", body: '{"advance":"PT1S"}' });
  expect(await response.json()).toMatchObject({ now: "2026-11-21T10:00:01.000Z" });
});
