import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { startSandbox } from "../../../sandbox/index.ts";
import { keys, mail } from "../rig.ts";
import { temporaryFolder } from "../store/sample.ts";
import { started } from "./started.ts";

test("startSandbox uses a workspace of a running sandbox by its URL", async () => {
  const { sandbox: running } = await started();
  const at = running.url;
  const startAt = Date.parse("2027-01-31T09:00:00Z");
  const sandbox = await startSandbox({ at, clock: { frozen: true, startAt }, requestsPerMinute: 1 });
  const key = sandbox.keys["all abilities"] ?? "";
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const send = () =>
    sandbox.fetch("/api/v1/emails", { method: "POST", headers, body: JSON.stringify(mail()) });
  expect([(await send()).status, (await send()).status]).toEqual([202, 429]);
  await sandbox.clock.advance(60_000);
  expect(await sandbox.clock.now()).toBe(startAt + 60_000);
  const [message] = await sandbox.outbox.messages();
  expect(message).toMatchObject({ status: "delivered", subject: "Your order" });
  const source = new TextDecoder().decode(await sandbox.outbox.eml(message ?? { id: "" }));
  expect(source).toContain("Subject: Your order");
  await sandbox.reset();
  expect(await sandbox.outbox.messages()).toEqual([]);
  await sandbox.close();
  expect((await send()).status).toBe(404);
});

test.each([
  ["nothing listens", { at: "http://127.0.0.1:1" }, "no sandbox responds at http://127.0.0.1:1"],
  ["the lifetime is too long", { lifetime: 1e15 }, "422"],
])("if %s, startSandbox says so", async (_, options, message) => {
  const { sandbox } = await started();
  await expect(startSandbox({ at: sandbox.url, ...options })).rejects.toThrow(message);
});

test("failures are added, listed and ended like those of an own sandbox", async () => {
  const { sandbox: running } = await started();
  const [remote, own] = [await startSandbox({ at: running.url }), await startSandbox()];
  for (const { failures } of [remote, own]) {
    await failures.add({ kind: "cut" });
    await failures.add({ kind: "delay", milliseconds: 50 }, 2, { method: "POST", share: 0.5 });
    const id = await failures.add({ kind: "rate limit", retryAfter: 3 }, null, { path: "/api/v1/me" });
    expect(await failures.remove(id)).toBe(true);
    expect(await failures.remove(id)).toBe(false);
  }
  const withoutIds = async ({ failures }: typeof remote | typeof own) =>
    (await failures.pending()).map(({ id: _, hits = 0, ...entry }) => ({ ...entry, hits }));
  expect(await withoutIds(remote)).toEqual(await withoutIds(own));
  await remote.failures.clear();
  expect(await remote.failures.pending()).toEqual([]);
  await remote.failures.add({ kind: "status", status: 503, body: true });
  const headers = { authorization: `Bearer ${keys.all}` };
  expect((await remote.fetch("/api/v1/me", { headers })).status).toBe(503);
  expect((await remote.fetch("/api/v1/me", { headers })).status).toBe(200);
  await Promise.all([remote.close(), own.close()]);
});

test("close may be called twice, and after the workspace has ended", async () => {
  const { sandbox: running, send } = await started();
  const [one, other] = [await startSandbox({ at: running.url }), await startSandbox({ at: running.url })];
  await one.close();
  await one.close();
  await send("DELETE", `/sandbox/workspaces/${new URL(other.url).pathname.split("/").at(-1)}`);
  await other.close();
});

test("after a close that failed, another one tries again", async () => {
  const { sandbox: running } = await started();
  const sandbox = await startSandbox({ at: running.url });
  await running.close();
  await expect(sandbox.close()).rejects.toThrow("no sandbox responds");
  await started({ port: Number(new URL(running.url).port) });
  await sandbox.close();
});

test("the seed may be the path of a file", async () => {
  const { sandbox: running } = await started();
  const seed = join(temporaryFolder(), "team.yaml");
  writeFileSync(seed, "accounts: [{ id: team, keys: [{ key: team_key_1, label: all }] }]");
  const sandbox = await startSandbox({ at: running.url, seed });
  expect(sandbox.keys).toEqual({ all: "team_key_1" });
  await sandbox.close();
});

test("without a value of at, the sandbox is an own one, which is used in the same way", async () => {
  const { sandbox: running } = await started();
  for (const at of [undefined, running.url]) {
    const sandbox = await startSandbox({ at, clock: { frozen: true } });
    expect("drain" in sandbox).toBe(at === undefined);
    await sandbox.clock.advance(60_000);
    await sandbox.failures.add({ kind: "status", status: 503, body: true });
    expect(
      (await sandbox.fetch("/api/v1/me", { headers: { authorization: `Bearer ${keys.all}` } })).status,
    ).toBe(503);
    expect(await sandbox.outbox.messages()).toEqual([]);
    await sandbox.reset();
    await sandbox.close();
  }
});

test.each([
  [
    { at: "sandbox.example" },
    'the URL of the sandbox must start with http:// or https:// (got "sandbox.example")',
    "Example:",
  ],
  [
    { at: "localhost:4020" },
    'the URL of the sandbox must start with http:// or https:// (got "localhost:4020")',
    "Example:",
  ],
  [
    { at: "http://127.0.0.1:1/api/v1" },
    'the URL of the sandbox must not have the path of an API (got "http://127.0.0.1:1/api/v1")',
    "Example:",
  ],
  [
    { at: "http://127.0.0.1:1", port: 4020, data: "folder", smtp: undefined },
    'with at there is no option port, data (got at "http://127.0.0.1:1")',
    "With at, the options are label, lifetime, seed, clock, requestsPerMinute.",
  ],
])("%j is rejected", async (options, message, hint) => {
  await expect(startSandbox(options as { at: string })).rejects.toMatchObject({
    message,
    hint: expect.stringContaining(hint),
  });
});

test("an error of the control API is a sentence with its hint, not JSON", async () => {
  const { sandbox: running } = await started();
  const at = running.url;
  await expect(startSandbox({ at, lifetime: 1 })).rejects.toMatchObject({
    message: `POST ${at}/sandbox/workspaces was rejected with 422: \`lifetime\` must be from 1 second to 28 days (got 1)`,
    hint: 'Example: {"lifetime":"PT1H"}',
  });
});

test("a sandbox that accepts the connection and does not respond is an error after a while", async () => {
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  onTestFinished(() => void silent.close());
  const { timeout } = AbortSignal;
  const limit = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => timeout(100));
  onTestFinished(() => limit.mockRestore());
  const at = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  await expect(startSandbox({ at })).rejects.toThrow(`no sandbox responds at ${at}`);
  expect(limit).toHaveBeenCalledWith(150_000);
});
