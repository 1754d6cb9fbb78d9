import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ApiError, type KeyedOptions } from "../../../client/src/index.ts";
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
const send = (more: object = {}, options?: KeyedOptions) =>
  client().emails.send(
    { from: "a@bakery.example", to: ["ada@readers.example"], subject: "Hello", text: "Hi", ...more },
    options,
  );

test.for(["500", "502", "503"])("the next call fails with %s, the one after does not", async (fail) => {
  await control("failures", { fail });
  // That the body names the call as the header does is part of what every answer is held against.
  await expect(me()).rejects.toMatchObject({ status: Number(fail), requestId: expect.any(String) });
  expect((await me()).status).toBe(200);
});

test("a 500 can come without a body", async () => {
  await control("failures", { fail: "500-empty" });
  const answer = await fetch(`${sandbox.url}/api/v1/me`, {
    headers: { authorization: `Bearer ${keys.all}` },
  });
  expect([answer.status, await answer.text()]).toEqual([500, ""]);
});

test("a cut connection loses the answer, not the work: the same idempotency key gets it", async () => {
  await control("failures", { fail: "cut" });
  const options = { idempotencyKey: "order-1042" };
  await expect(send({}, options)).rejects.toMatchObject({ name: "ConnectionError", ...options });
  expect((await send({}, options).withResponse()).replayed).toBe(true);
  expect((await sandbox.outbox.messages()).length).toBe(1);
});

test("a delayed call is answered as usual", async () => {
  await control("failures", { fail: "delay", delay: 1 });
  expect((await me()).status).toBe(200);
});

test("failures do not meet control calls and pages", async () => {
  await control("failures", { fail: "503" });
  expect((await fetch(`${sandbox.url}/sandbox/clock`)).status).toBe(200);
  expect((await fetch(`${sandbox.url}/`)).status).toBe(200);
  await expect(me()).rejects.toMatchObject({ status: 503 });
});

test("a scheduled message goes out when the clock gets there", async () => {
  const { id } = await send({ scheduled_at: "2026-11-22T10:00:00Z" });
  const moved = await control("clock", { advance: "P1DT1M" });
  expect(await moved.json()).toEqual({ now: "2026-11-22T10:01:00.000Z", next_due_at: null });
  const shown = await fetch(`${sandbox.url}/sandbox/outbox/${id}`);
  expect(await shown.json()).toMatchObject({ status: "delivered", sent_at: "2026-11-22T10:00:00.000Z" });
  const eml = await fetch(`${sandbox.url}/sandbox/outbox/${id}.eml`);
  expect(await eml.text()).toContain("Date: Sun, 22 Nov 2026 10:00:00 +0000\r\n");
});

test("a replaced key stops when its overlap is over, and works again after a reset", async () => {
  const replaced = () => client(keys.replaced).me().withResponse();
  await control("clock", { advance: "P2D" });
  expect((await replaced()).status).toBe(200);
  await control("clock", { advance: "P1D" });
  await expect(replaced()).rejects.toMatchObject({ status: 401, type: "unauthorized" });
  await control("reset", {});
  expect((await replaced()).status).toBe(200);
});

test("a suppressed address is left out of a message", async () => {
  await control("suppress", { address: "Ada@readers.example" });
  await expect(send()).rejects.toMatchObject({ status: 422, type: "send_rejected" });
  await control("unsuppress", { address: "ada@readers.example" });
  expect((await send().withResponse()).status).toBe(202);
});

test("a contact that clicks its confirmation is subscribed", async () => {
  await control("confirm", { email: "pending@readers.example", list_id: 1 });
  expect(await client().newsletter.contacts.get("pending@readers.example")).toMatchObject({
    lists: [{ status: "subscribed", subscribed_at: "2026-11-21T10:00:00.000Z" }],
  });
});

test("the call log finds a call by the id that its answer carried", async () => {
  const refusal = await send({ subject: "", to: [] }).catch((reason: unknown) => reason);
  if (!(refusal instanceof ApiError)) throw refusal;
  const id = refusal.requestId;
  const found = await fetch(`${sandbox.url}/sandbox/calls/${id}`);
  expect(await found.json()).toMatchObject({
    request_id: id,
    status: 422,
    error_type: "invalid_request",
    account: "bakery",
  });
});

test("HEAD is GET without the body", async () => {
  const head = await fetch(`${sandbox.url}/`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

test("it is driven in process too, without a socket", async () => {
  const answer = await sandbox.fetch("/sandbox/clock", { method: "POST", body: '{"advance":"PT1S"}' });
  expect(await answer.json()).toMatchObject({ now: "2026-11-21T10:00:01.000Z" });
});
