import { expect, test } from "vitest";
import { keys, startRig } from "../rig.ts";

test("it takes whole addresses, URLs and requests", async () => {
  const { sandbox } = await startRig();
  const headers = { authorization: `Bearer ${keys.all}` };
  const address = `${sandbox.url}/api/v1/me`;
  for (const input of [address, new URL(address), new Request(address, { headers }), "/api/v1/me"]) {
    expect((await sandbox.fetch(input, { headers })).status).toBe(200);
  }
  expect((await sandbox.fetch("/health")).status).toBe(200);
});

test("a HEAD has no body", async () => {
  const { sandbox } = await startRig();
  const response = await sandbox.fetch("/api/v1/me", { method: "HEAD" });
  expect([response.status, response.headers.get("allow"), await response.text()]).toEqual([405, "GET", ""]);
});

test("a cut is what fetch throws when a connection breaks, an abort is the reason given", async () => {
  const { sandbox } = await startRig();
  const headers = { authorization: `Bearer ${keys.all}` };
  await sandbox.failures.add({ kind: "cut" }, 1);
  await expect(sandbox.fetch("/api/v1/me", { headers })).rejects.toThrow(TypeError);
  await sandbox.failures.add({ kind: "delay", milliseconds: 50 }, 1);
  const signal = AbortSignal.timeout(1);
  await expect(sandbox.fetch("/api/v1/me", { headers, signal })).rejects.toThrow(/timeout/);
  await expect(sandbox.fetch("/api/v1/me", { signal: AbortSignal.abort("enough") })).rejects.toBe("enough");
});
