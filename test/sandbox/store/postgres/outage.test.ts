import { expect, test } from "vitest";
import { keys, startRig } from "../../rig.ts";
import { disconnect, newDatabase, onServer } from "./cluster.ts";

const paths = ["/api/v1/me", "/contacts", "/sandbox/clock"];

test("while the database is away, every request gets a 503; then they work again", async () => {
  const data = await newDatabase();
  const { sandbox } = await startRig({ data });
  const get = (path: string) =>
    fetch(sandbox.url + path, { headers: { authorization: `Bearer ${keys.all}` } });
  expect((await get("/api/v1/me")).status).toBe(200);
  await disconnect(data, false);
  const start = performance.now();
  const [me, page, control] = await Promise.all(paths.map(get));
  expect(performance.now() - start).toBeLessThan(3_000);
  expect([me?.status, page?.status, control?.status]).toEqual([503, 503, 503]);
  expect(await control?.json()).toMatchObject({ error: { hint: "Retry in a moment." } });
  await disconnect(data, true);
  await expect.poll(async () => (await get("/api/v1/me")).status).toBe(200);
});

test("while the database does not respond, every request gets a 503 soon, and says when to retry", async () => {
  const data = await newDatabase();
  const { sandbox } = await startRig({ data });
  const get = (path: string) =>
    fetch(sandbox.url + path, { headers: { authorization: `Bearer ${keys.all}` } });
  const statuses = async () => (await Promise.all(paths.map(get))).map(({ status }) => status);
  expect(await statuses()).toEqual(paths.map(() => 200));
  await onServer(async (client) => {
    await client.query("BEGIN; LOCK TABLE email_sandbox.workspace");
    const start = performance.now();
    const responses = await Promise.all(paths.map(get));
    // The database itself would end the statements after ten seconds.
    expect(performance.now() - start).toBeLessThan(7_000);
    expect(responses.map(({ status, headers }) => [status, headers.get("retry-after")])).toEqual(
      paths.map(() => [503, "1"]),
    );
    expect(await responses[1]?.text()).toContain("No response within 1.5 seconds");
  }, data);
  await expect.poll(statuses).toEqual(paths.map(() => 200));
});
