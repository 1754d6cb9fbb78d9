import { expect, test } from "vitest";
import { Counts, durationBounds } from "../../../sandbox/metrics/counts.ts";
import { renderMetrics } from "../../../sandbox/metrics/render.ts";
import { keys, mail, startRig } from "../rig.ts";
import { parseMetrics } from "./parse.ts";

const read = async (sandbox: { fetch(path: string): Promise<Response> }) => {
  const response = await sandbox.fetch("/metrics");
  expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  return parseMetrics(await response.text());
};

const requests = "email_sandbox_requests_total";
const rejected = "email_sandbox_requests_without_operation_total";

test("counts are those of the requests since the start", async () => {
  const { get, post, call, sandbox } = await startRig();
  const { id } = (await post("/api/v1/emails", mail())).body;
  await post("/api/v1/emails/batch", { emails: [mail(), mail()] });
  await post("/api/v1/emails", {});
  await get(`/api/v1/emails/${id}`);
  await get(`/api/v1/emails/${id}`);
  await get("/api/v1/me", { key: keys.revoked });
  await get("/api/v1/nothing");
  await call("DELETE", "/api/v1/emails");
  await sandbox.clock.advance(60_000);
  const { sample } = await read(sandbox);
  expect(sample(requests, { method: "POST", path: "/api/v1/emails", status: "202" })).toBe(1);
  expect(sample(requests, { method: "POST", path: "/api/v1/emails", status: "422" })).toBe(1);
  expect(sample(requests, { method: "GET", path: "/api/v1/emails/{id}", status: "200" })).toBe(2);
  expect(sample(requests, { method: "GET", path: "/api/v1/me", status: "401" })).toBe(1);
  expect(sample(rejected, { status: "404" })).toBe(1);
  expect(sample(rejected, { status: "405" })).toBe(1);
  expect(sample("email_sandbox_messages_accepted_total")).toBe(3);
  // Each message is sent when it is accepted, and delivered when it is due.
  expect(sample("email_sandbox_due_steps_total")).toBe(3);
  expect(sample("email_sandbox_store_errors_total")).toBe(0);
});

test("a replay accepts no message", async () => {
  const { post, sandbox } = await startRig();
  const headers = { "idempotency-key": "order-1" };
  await post("/api/v1/emails", mail(), { headers });
  await post("/api/v1/emails", mail(), { headers });
  expect((await read(sandbox)).sample("email_sandbox_messages_accepted_total")).toBe(1);
});

test("requests to workspaces count, without their ids, and workspaces are counted", async () => {
  const { sandbox } = await startRig();
  const created = await sandbox.fetch("/sandbox/workspaces", { method: "POST", body: "{}" });
  const { url } = (await created.json()) as { url: string };
  await sandbox.fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${keys.all}` } });
  expect((await sandbox.fetch(`${url}/metrics`)).status).toBe(404);
  const { sample } = await read(sandbox);
  expect(sample(requests, { method: "GET", path: "/api/v1/me", status: "200" })).toBe(1);
  expect(sample("email_sandbox_workspaces")).toBe(1);
});

test("a store that fails is counted, and metrics come all the same", async () => {
  const { sandbox } = await startRig();
  sandbox.store.countRequest = () => {
    throw Object.assign(new Error("disk I/O error"), { code: "ERR_SQLITE_ERROR" });
  };
  const me = await sandbox.fetch("/api/v1/me", { headers: { authorization: `Bearer ${keys.all}` } });
  expect(me.status).toBe(500);
  expect((await read(sandbox)).sample("email_sandbox_store_errors_total")).toBe(1);
});

test("the metrics have no key, id, email address or account", async () => {
  const { get, post, sandbox } = await startRig();
  const { id } = (await post("/api/v1/emails", mail())).body;
  await get(`/api/v1/emails/${id}`);
  await get("/api/v1/newsletter/contacts/ada%40readers.example");
  await get("/api/v1/emails/secret@readers.example");
  const { text } = await read(sandbox);
  expect(text).not.toMatch(new RegExp(`sandbox_all|${id}|@|%40|readers|bakery|secret`));
});

test("the histogram is cumulative, in seconds, and ends with all requests", async () => {
  const counts = new Counts();
  const operation = { method: "GET", path: "/api/v1/me" };
  for (const milliseconds of [0.5, 1, 1.5, 30, 120_000]) counts.request(operation, 200, milliseconds);
  const { sample } = parseMetrics((await renderMetrics(counts, undefined)).text);
  const name = "email_sandbox_request_duration_seconds";
  const atMost = (le: string) => sample(`${name}_bucket`, { ...operation, le });
  expect(["0.001", "0.0025", "0.025", "0.05", "60", "+Inf"].map(atMost)).toEqual([2, 3, 3, 4, 4, 5]);
  expect(durationBounds.map((bound) => atMost(String(bound)))).not.toContain(undefined);
  expect(sample(`${name}_sum`, operation)).toBeCloseTo(120.033, 6);
  expect(sample(`${name}_count`, operation)).toBe(5);
});

test("metrics of the process are those of this process", async () => {
  const { sample } = parseMetrics((await renderMetrics(new Counts(), 0)).text);
  expect(sample("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
  expect(sample("process_cpu_seconds_total")).toBeGreaterThan(0);
  expect(sample("email_sandbox_workspaces")).toBe(0);
});

test("without the number of workspaces there is no metric of it", async () => {
  const { text } = await renderMetrics(new Counts(), undefined);
  expect(text).not.toContain("workspaces");
});
