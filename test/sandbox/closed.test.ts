import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type SandboxOptions, startSandbox } from "../../sandbox/index.ts";
import { parse } from "./http/raw.ts";
import { keys } from "./rig.ts";

const closedMessage = "The sandbox is closed.";
const frozen = { clock: { frozen: true } };

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "sandbox-closed-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

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
