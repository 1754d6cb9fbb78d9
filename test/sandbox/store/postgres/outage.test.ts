import { expect, test } from "vitest";
import type { HandledRequest } from "../../../../sandbox/index.ts";
import { parseMetrics } from "../../metrics/parse.ts";
import { keys, startRig } from "../../rig.ts";
import { disconnect, newDatabase, onServer } from "./cluster.ts";

test("a workspace says that the database is away, and works again afterwards", async () => {
  const data = await newDatabase();
  const requests: HandledRequest[] = [];
  const recoveries: number[] = [];
  const { sandbox } = await startRig({
    data,
    onRequest: (request) => requests.push(request),
    onRecovery: (milliseconds) => recoveries.push(milliseconds),
  });
  const created = await sandbox.fetch("/sandbox/workspaces", { method: "POST" });
  const { id, url } = (await created.json()) as { id: string; url: string };
  const get = (path: string) => fetch(url + path, { headers: { authorization: `Bearer ${keys.all}` } });
  expect((await get("/api/v1/me")).status).toBe(200);
  await disconnect(data, false);
  const start = performance.now();
  const me = await get("/api/v1/me");
  const [page, control] = await Promise.all([get("/contacts"), get("/sandbox/clock")]);
  expect(performance.now() - start).toBeLessThan(3_000);
  expect([me.status, page.status, control.status]).toEqual([503, 503, 503]);
  expect(await page.text()).toContain(`<a href="/workspaces/${id}/">Back to the outbox</a>`);
  expect(await control.json()).toMatchObject({ error: { hint: "Retry in a moment." } });
  expect(requests.at(-1)).toMatchObject({ workspace: id, path: "/api/v1/me", status: 503 });
  const { sample } = parseMetrics(await (await sandbox.fetch("/metrics")).text());
  const labels = { method: "GET", path: "/api/v1/me", status: "503" };
  expect(sample("email_sandbox_requests_total", labels)).toBe(1);
  await disconnect(data, true);
  await expect.poll(() => recoveries.length, { timeout: 8_000 }).toBeGreaterThan(0);
  await expect.poll(async () => (await get("/api/v1/me")).status).toBe(200);
});

test("while the database does not respond, every request gets a 503 soon, and says when to retry", async () => {
  const data = await newDatabase();
  const { sandbox } = await startRig({ data });
  const created = await sandbox.fetch("/sandbox/workspaces", { method: "POST" });
  const { url } = (await created.json()) as { url: string };
  const paths = ["/api/v1/me", "/contacts", "/sandbox/clock"];
  const urls = [sandbox.url, url].flatMap((base) => paths.map((path) => base + path));
  const get = (target: string) => fetch(target, { headers: { authorization: `Bearer ${keys.all}` } });
  const statuses = async () => (await Promise.all(urls.map(get))).map(({ status }) => status);
  expect(await statuses()).toEqual(urls.map(() => 200));
  await onServer(async (client) => {
    await client.query("BEGIN; LOCK TABLE email_sandbox.workspace");
    const start = performance.now();
    const responses = await Promise.all(urls.map(get));
    // The database itself would end the statements after ten seconds.
    expect(performance.now() - start).toBeLessThan(7_000);
    expect(responses.map(({ status, headers }) => [status, headers.get("retry-after")])).toEqual(
      urls.map(() => [503, "1"]),
    );
    expect(await responses[1]?.text()).toContain("No response within 1.5 seconds");
  }, data);
  await expect.poll(statuses).toEqual(urls.map(() => 200));
});
