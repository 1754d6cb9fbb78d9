import { once } from "node:events";
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { describe, expect, test, vi } from "vitest";
import { StoreUnavailableError } from "../../sandbox/domain/store.ts";
import { type HandledRequest, type Sandbox, type SandboxOptions, startSandbox } from "../../sandbox/index.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { parse } from "./http/raw.ts";
import { day, keys, mail, type Rig, start, startRig } from "./rig.ts";

/** Calls of many kinds, one after the other. */
async function callAround({ post, get, call, sandbox }: Rig): Promise<string[]> {
  const responses = [
    await post("/api/v1/emails", mail({ to: ["bounce@simulator.example", "gone@readers.example"] })),
  ];
  const { id } = responses[0]?.body ?? {};
  responses.push(await post("/api/v1/emails/batch", { emails: [mail(), mail()] }));
  responses.push(await post("/api/v1/newsletter/contacts", { email: "a@b.example", list_id: 1 }));
  await sandbox.clock.advance(5000);
  responses.push(await get(`/api/v1/emails/${id}`));
  responses.push(
    await call("PATCH", `/api/v1/emails/${id}`, { body: { scheduled_at: "2026-03-11T00:00:00Z" } }),
  );
  responses.push(await post("/api/v1/emails", { subject: 1 }));
  responses.push(await get("/api/v1/newsletter/contacts/a%40b.example"));
  return responses.map(({ status, headers: { date: _date, ...headers }, text }) =>
    JSON.stringify([status, headers, text]),
  );
}

test("the same requests on the same seed get the same responses, ids included, and again after a reset", async () => {
  const one = await startRig();
  const first = await callAround(one);
  expect(await callAround(await startRig())).toEqual(first);
  await one.sandbox.reset();
  expect(await callAround(one)).toEqual(first);
  expect(await callAround(await startRig({ randomSeed: "another" }))).not.toEqual(first);
});

test("without options, undefined or null, a sandbox starts with the defaults", async () => {
  for (const options of [undefined, null]) {
    const sandbox = await startSandbox(options as undefined);
    await sandbox.close();
    expect(sandbox.keys).not.toEqual({});
  }
});

test("a reset forgets messages, contacts, rate windows, replays, failures and the clock's way", async () => {
  const { sandbox, post, get } = await startRig();
  const named = { headers: { "idempotency-key": "a" } };
  await post("/api/v1/emails", mail(), named);
  await sandbox.failures.add({ kind: "status", status: 503, body: true }, 9);
  await sandbox.clock.advance(day);
  await sandbox.reset();
  expect(await sandbox.outbox.messages()).toEqual([]);
  expect(sandbox.clock.now()).toBe(start);
  const again = await post("/api/v1/emails", mail(), named);
  expect(again.headers).toMatchObject({
    "x-ratelimit-remaining": "119",
    "x-service-monthly-remaining": "9999",
  });
  expect((await get("/api/v1/newsletter/contacts/subscribed%40readers.example")).status).toBe(200);
});

test("a request that is delayed over a reset gets its response and affects nothing afterwards", async () => {
  const { sandbox, get, post } = await startRig();
  await sandbox.failures.add({ kind: "delay", milliseconds: 200 }, 1);
  const held = get("/api/v1/me");
  await expect.poll(() => sandbox.failures.pending()).toEqual([]);
  await sandbox.reset();
  expect((await held).status).toBe(200);
  // Its number is that of the call that was held up.
  const first = await get("/api/v1/newsletter/lists");
  for (const _ of "abc") expect((await post("/api/v1/emails", mail())).status).toBe(202);
  const calls = await sandbox.store.loggedRequests({ limit: 10 });
  expect(calls.map(({ path }) => path)).toEqual([
    ...Array(3).fill("/api/v1/emails"),
    "/api/v1/newsletter/lists",
  ]);
  expect(calls.at(-1)?.requestId).toBe(first.headers["x-service-request-id"]);
});

test("the outbox has every message, or as many as are asked for", async () => {
  const { sandbox, post } = await startRig();
  const emails = Array.from({ length: 60 }, () => mail());
  for (const _ of "ab") await post("/api/v1/emails/batch", { emails });
  expect(await sandbox.outbox.messages()).toHaveLength(120);
  expect(await sandbox.outbox.messages({ limit: 7 })).toHaveLength(7);
});

test("what is kept in a folder is there after a restart", async () => {
  const data = temporaryFolder();
  const first = await startRig({ data });
  const { body } = await first.post("/api/v1/emails", mail(), { headers: { "idempotency-key": "a" } });
  await first.sandbox.clock.advance(day / 2);
  await first.sandbox.close();
  const second = await startRig({ data });
  expect((await second.get(`/api/v1/emails/${body.id}`)).body.status).toBe("delivered");
  const again = await second.post("/api/v1/emails", mail(), { headers: { "idempotency-key": "a" } });
  expect(again.body.id).toBe(body.id);
});

test("the call log has calls of known accounts and addresses, and no bodies or keys", async () => {
  const { sandbox, call, get, post } = await startRig();
  const rejected = await post(
    "/api/v1/emails?secret=1",
    mail({ subject: "s".repeat(999), tags: { "a b": "private" } }),
  );
  await get("/api/v1/nothing");
  await get("/api/v1/me", { key: keys.revoked });
  await call("PUT", "/api/v1/me");
  await get("/api/v1/me");
  const calls = await sandbox.store.loggedRequests({ limit: 10 });
  expect(calls.map(({ path, status }) => [path, status])).toEqual([
    ["/api/v1/me", 200],
    ["/api/v1/emails", 422],
  ]);
  const logged = await sandbox.store.loggedRequest(rejected.body.error.request_id);
  expect(logged).toEqual({
    requestId: rejected.headers["x-service-request-id"],
    accountId: "bakery",
    method: "POST",
    path: "/api/v1/emails",
    status: 422,
    errorType: "invalid_request",
    fields: ["subject", "tags.a b"],
    at: start,
  });
  expect(JSON.stringify(calls)).not.toMatch(/sandbox_|private|secret/);
});

test("onRequest gets each request with its response", async () => {
  const calls: HandledRequest[] = [];
  const { get } = await startRig({ onRequest: (call) => calls.push(call) });
  await get("/api/v1/me");
  await get("/api/v1/nothing");
  expect(calls.map(({ accountId, path, status, errorType }) => [accountId, path, status, errorType])).toEqual(
    [
      ["bakery", "/api/v1/me", 200, null],
      [null, "/api/v1/nothing", 404, "not_found"],
    ],
  );
});

test("what goes wrong inside is a 500 in the error's shape, told to the owner only", async () => {
  const errors: unknown[] = [];
  const { sandbox, post } = await startRig({ onError: (error) => errors.push(error) });
  sandbox.store.accept = () => Promise.reject(new Error("sandbox_all_2f7c at node:internal"));
  const response = await post("/api/v1/emails", mail());
  expect([response.status, response.type]).toEqual([500, "unspecified"]);
  expect(errors).toHaveLength(1);
});

test("a test that replaces the timers of Node gets responses, then and afterwards", async () => {
  const { sandbox } = await startRig();
  const send = () =>
    fetch(`${sandbox.url}/api/v1/emails`, {
      method: "POST",
      headers: { authorization: `Bearer ${keys.all}`, "content-type": "application/json" },
      body: JSON.stringify(mail()),
      signal: AbortSignal.timeout(10_000),
    });
  vi.useFakeTimers({ toFake: ["setImmediate", "clearImmediate"] });
  try {
    expect((await send()).status).toBe(202);
  } finally {
    vi.useRealTimers();
  }
  expect((await send()).status).toBe(202);
});

/** Makes the methods of a store fail that each request needs. */
const takeAway = (store: Sandbox["store"], fail: () => Promise<never>): void =>
  void Object.assign(store, { readSettings: fail, changeSetting: fail });

const unavailable = (): Promise<never> =>
  Promise.reject(new StoreUnavailableError("the database cannot be reached"));

async function startedRig(options: SandboxOptions = {}) {
  const requests: HandledRequest[] = [];
  const rig = await startRig({ ...options, onRequest: (request) => requests.push(request) });
  return { ...rig, requests };
}

describe("while the database is away", () => {
  test("a request is logged with the type of its response", async () => {
    const { sandbox, get, requests } = await startedRig();
    takeAway(sandbox.store, unavailable);
    const { status, type, headers } = await get("/api/v1/emails/msg_1");
    expect([status, headers["retry-after"]]).toEqual([503, "1"]);
    expect(requests).toMatchObject([{ status: 503, errorType: type, path: "/api/v1/emails/msg_1" }]);
  });

  test("pages and the control API say so", async () => {
    const { sandbox } = await startedRig();
    takeAway(sandbox.store, unavailable);
    const [page, control, health] = await Promise.all([
      sandbox.fetch("/contacts"),
      sandbox.fetch("/sandbox/outbox"),
      sandbox.fetch("/health"),
    ]);
    expect([page.status, control.status, health.status]).toEqual([503, 503, 503]);
    expect([page, control].map(({ headers }) => headers.get("retry-after"))).toEqual(["1", "1"]);
    const text = await page.text();
    expect(text).toContain("<!doctype html>");
    expect(text).toContain("The store failed: the database cannot be reached.");
    const { error } = (await control.json()) as { error: { message: string; hint: string } };
    expect(error.message).toContain("The store failed: the database cannot be reached.");
    expect(error.hint).toBe("Retry in a moment.");
  });
});

const closedMessage = "The sandbox is closed.";
const frozen = { clock: { frozen: true } };

const headers = { authorization: `Bearer ${keys.all}` };

test.for([
  ["in memory", () => ({})],
  ["in a folder", () => ({ data: temporaryFolder() })],
] as const)("after close, every call is rejected and changes nothing, %s", async ([, data]) => {
  const options: SandboxOptions = { ...frozen, ...data() };
  const sandbox = await startSandbox(options);
  await sandbox.close();
  const files = options.data === undefined ? [] : readdirSync(options.data);
  const { store, clock, outbox } = sandbox;
  const calls: [string, () => Promise<unknown>][] = [
    ["reset", () => sandbox.reset()],
    ["fetch of the API", () => sandbox.fetch("/api/v1/me", { headers })],
    ["fetch of a path that does not exist", () => sandbox.fetch("/api/v1/nothing")],
    ["fetch of the control API", () => sandbox.fetch("/sandbox/reset", { method: "POST" })],
    ["fetch of a page", () => sandbox.fetch("/")],
    ["fetch of /health", () => sandbox.fetch("/health")],
    ["clock.advance", () => clock.advance(1_000)],
    ["outbox.messages", () => outbox.messages()],
    ["store.messages", () => store.messages({ limit: 1 })],
    ["store.suppress", () => store.suppress("bakery", "ada@example.org", "bounced", 0)],
    ["store.loggedRequests", () => store.loggedRequests({ limit: 1 })],
    ["store.nextDue", () => store.nextDue()],
    ["store.reset", () => store.reset({ settings: {}, contacts: [], suppressions: [], messages: [] })],
  ];
  for (const [name, call] of calls)
    await expect(Promise.resolve().then(call), name).rejects.toThrow(closedMessage);
  await sandbox.close();
  if (options.data !== undefined) expect(readdirSync(options.data)).toEqual(files);
});

test("while it closes, calls are rejected already, and a second close waits for the first", async () => {
  const sandbox = await startSandbox(frozen);
  await sandbox.failures.add({ kind: "delay", milliseconds: 600_000 }, 1);
  const slow = fetch(`${sandbox.url}/api/v1/me`, { headers });
  while (sandbox.failures.pending().length > 0) await new Promise((resolve) => setTimeout(resolve, 1));
  const closing = sandbox.close();
  const again = sandbox.close().then(() => sandbox.store.nextDue());
  await expect(sandbox.reset()).rejects.toThrow(closedMessage);
  await expect(sandbox.fetch("/api/v1/me", { headers })).rejects.toThrow(closedMessage);
  await expect(again).rejects.toThrow(closedMessage);
  await closing;
  expect((await slow).status).toBe(200);
});

test("while it closes, the control API resets nothing", async () => {
  const data = temporaryFolder();
  const sandbox = await startSandbox({ ...frozen, data });
  const headers = "Host: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n";
  const socket = connect(Number(new URL(sandbox.url).port), "127.0.0.1");
  const read: Buffer[] = [];
  socket.on("data", (chunk) => read.push(chunk));
  socket.write(`POST /sandbox/reset HTTP/1.1\r\n${headers}\r\n`);
  // The server has the head of the request once it responds to a later one.
  await fetch(`${sandbox.url}/health`);
  const closing = sandbox.close();
  socket.write("{}");
  await Promise.all([closing, once(socket, "close")]);
  const response = parse(Buffer.concat(read).toString());
  expect(response?.status).toBe(503);
  expect(JSON.parse(response?.text ?? "").error.message).toBe(closedMessage);
  expect(readdirSync(data).filter((name) => name.startsWith("sandbox"))).toEqual(["sandbox.sqlite"]);
});
