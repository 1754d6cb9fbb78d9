import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../../../sandbox/index.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ clock: { frozen: true, startAt: Date.parse("2026-11-21T10:00:00Z") } });
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

const authorization = "Bearer sandbox_all_2f7c";
const me = () => fetch(`${sandbox.url}/api/v1/me`, { headers: { authorization } });
const control = (path: string, body: object) =>
  fetch(`${sandbox.url}/sandbox/${path}`, { method: "POST", body: JSON.stringify(body) });
const send = (more: object = {}, headers: Record<string, string> = {}) =>
  fetch(`${sandbox.url}/api/v1/emails`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json", ...headers },
    body: JSON.stringify({
      from: "a@bakery.example",
      to: ["ada@readers.example"],
      subject: "Hello",
      text: "Hi",
      ...more,
    }),
  });

test.for(["500", "502", "503"])("the next call fails with %s, the one after does not", async (fail) => {
  await control("failures", { fail });
  const answer = await me();
  expect(answer.status).toBe(Number(fail));
  expect(await answer.json()).toHaveProperty("error.request_id", answer.headers.get("x-service-request-id"));
  expect((await me()).status).toBe(200);
});

test("a 500 can come without a body", async () => {
  await control("failures", { fail: "500-empty" });
  const answer = await me();
  expect([answer.status, await answer.text()]).toEqual([500, ""]);
});

test("a cut connection loses the answer, not the work: the same idempotency key gets it", async () => {
  await control("failures", { fail: "cut" });
  const headers = { "idempotency-key": "order-1042" };
  await expect(send({}, headers)).rejects.toThrow("fetch failed");
  const again = await send({}, headers);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
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
  expect((await me()).status).toBe(503);
});

test("a scheduled message goes out when the clock gets there", async () => {
  const answer = await send({ scheduled_at: "2026-11-22T10:00:00Z" });
  const { id } = (await answer.json()) as { id: string };
  const moved = await control("clock", { advance: "P1DT1M" });
  expect(await moved.json()).toEqual({ now: "2026-11-22T10:01:00.000Z", next_due_at: null });
  const shown = await fetch(`${sandbox.url}/sandbox/outbox/${id}`);
  expect(await shown.json()).toMatchObject({ status: "delivered", sent_at: "2026-11-22T10:00:00.000Z" });
  const eml = await fetch(`${sandbox.url}/sandbox/outbox/${id}.eml`);
  expect(await eml.text()).toContain("Date: Sun, 22 Nov 2026 10:00:00 +0000\r\n");
});

test("a replaced key stops when its overlap is over, and works again after a reset", async () => {
  const replaced = () =>
    fetch(`${sandbox.url}/api/v1/me`, { headers: { authorization: "Bearer sandbox_replaced_d26f" } });
  await control("clock", { advance: "P2D" });
  expect((await replaced()).status).toBe(200);
  await control("clock", { advance: "P1D" });
  expect((await replaced()).status).toBe(401);
  await control("reset", {});
  expect((await replaced()).status).toBe(200);
});

test("a suppressed address is left out of a message", async () => {
  await control("suppress", { address: "Ada@readers.example" });
  expect((await send()).status).toBe(422);
  await control("unsuppress", { address: "ada@readers.example" });
  expect((await send()).status).toBe(202);
});

test("a contact that clicks its confirmation is subscribed", async () => {
  await control("confirm", { email: "pending@readers.example", list_id: 1 });
  const answer = await fetch(`${sandbox.url}/api/v1/newsletter/contacts/pending%40readers.example`, {
    headers: { authorization },
  });
  expect(await answer.json()).toMatchObject({
    lists: [{ status: "subscribed", subscribed_at: "2026-11-21T10:00:00.000Z" }],
  });
});

test("the call log finds a call by the id that its answer carried", async () => {
  const answer = await send({ subject: "", to: [] });
  const id = answer.headers.get("x-service-request-id");
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
