import { expect, test } from "vitest";
import type { SandboxOptions } from "../../sandbox/index.ts";
import { day, keys, type RequestOptions, start, startRig, time } from "./rig.ts";

// What the contract leaves to a server.

test("a key without any ability may still ask about itself", async () => {
  const seed = { accounts: [{ id: "bakery", keys: [{ key: "no_ability", abilities: [] }] }] };
  const { get } = await startRig({ seed });
  const { body } = await get("/api/v1/me", { key: "no_ability" });
  expect(body).toEqual({ account: { id: "bakery", name: "bakery" }, abilities: [], stops_at: null });
});

test("a replaced key works until its overlap is over, and tells when that is", async () => {
  const { get, sandbox } = await startRig();
  const options = { key: keys.replaced };
  expect((await get("/api/v1/me", options)).body.stops_at).toBe(time(start + 3 * day));
  await sandbox.clock.advance(3 * day - 1);
  expect((await get("/api/v1/me", options)).status).toBe(200);
  await sandbox.clock.advance(1);
  expect((await get("/api/v1/me", options)).status).toBe(401);
});

test.each([
  ["", 401],
  ["Bearer ", 401],
  [keys.all, 401],
  [`Basic ${keys.all}`, 401],
  [`Bearer ${keys.all} ${keys.second}`, 401],
  [`Bearer ${keys.all.toUpperCase()}`, 401],
  [`bearer ${keys.all}`, 200],
])("Authorization: %s gets %i", async (authorization, status) => {
  const { get } = await startRig();
  expect((await get("/api/v1/me", { key: null, headers: { authorization } })).status).toBe(status);
});

test.each<[string, string, RequestOptions, number, SandboxOptions?]>([
  ["a path comes before the method and the key", "PUT /api/v1/nothing", { key: null }, 404],
  ["a method before the key", "PUT /api/v1/emails/sched_1", { key: null }, 405],
  ["a key before the body", "POST /api/v1/emails", { key: keys.revoked, raw: "{" }, 401],
  [
    "the rate limit before the ability",
    "POST /api/v1/emails",
    { key: keys.read },
    429,
    { requestsPerMinute: 0 },
  ],
  ["the ability before the body", "POST /api/v1/emails", { key: keys.read, raw: "{" }, 403],
  ["the product before the body", "POST /api/v1/emails", { key: keys.noEmail, raw: "{" }, 402],
  ["fields before the message", "PATCH /api/v1/emails/never", { body: { scheduled_at: "soon" } }, 422],
])("of several errors, %s", async (_name, target, request, status, options) => {
  const { call } = await startRig(options);
  const [method = "", path = ""] = target.split(" ");
  expect((await call(method, path, request)).status).toBe(status);
});
