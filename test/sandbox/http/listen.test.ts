import { once } from "node:events";
import { request } from "node:http";
import { expect, test } from "vitest";
import { mail, startRig } from "../rig.ts";

test("it listens on this machine only", async () => {
  const { sandbox } = await startRig();
  expect(new URL(sandbox.url).hostname).toBe("127.0.0.1");
});

test("a port that is in use is an error, and nothing stays behind", async () => {
  const { sandbox } = await startRig();
  const port = Number(new URL(sandbox.url).port);
  await expect(startRig({ port })).rejects.toMatchObject({ code: "EADDRINUSE" });
});

test("the end lets requests under way finish", async () => {
  const { sandbox, post } = await startRig();
  await sandbox.failures.add({ kind: "delay", milliseconds: 50 }, 1);
  const begun = Promise.withResolvers<void>();
  const { next } = sandbox.failures;
  sandbox.failures.next = (request) => {
    begun.resolve();
    return next(request);
  };
  const response = post("/api/v1/emails", mail());
  await begun.promise;
  await sandbox.close();
  expect((await response).status).toBe(202);
});

test("a request that outlives the sandbox is cut off, and harms nobody", async () => {
  const { sandbox } = await startRig();
  const headers = { "content-type": "application/json", "content-length": 100, expect: "100-continue" };
  const late = request(`${sandbox.url}/api/v1/emails`, { method: "POST", headers });
  const cut = once(late, "error");
  // The rest of its body never comes.
  late.flushHeaders();
  await once(late, "continue");
  late.write("{");
  await sandbox.close();
  expect(await cut).toMatchObject([{ code: "ECONNRESET" }]);
});
