import { expect, test } from "vitest";
import type { SandboxOptions } from "../../sandbox/index.ts";
import { scheduled } from "./responses.ts";
import { day, hour, keys, mail, type RequestOptions, type Rig, start, startRig, time } from "./rig.ts";

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
  ["no key", undefined],
  ["an empty one", "Bearer "],
  ["a key without the word", keys.all],
  ["another scheme", `Basic ${keys.all}`],
  ["an unknown key", "Bearer sandbox_nobody"],
  ["a revoked key", `Bearer ${keys.revoked}`],
  ["two keys", `Bearer ${keys.all} ${keys.second}`],
  ["a key in other letters", `Bearer ${keys.all.toUpperCase()}`],
])("%s is rejected", async (_name, authorization) => {
  const { get } = await startRig();
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  const response = await get("/api/v1/me", { key: null, headers });
  expect([response.status, response.type]).toEqual([401, "unauthorized"]);
});

test("the case of Bearer does not count", async () => {
  const { get } = await startRig();
  expect(
    (await get("/api/v1/me", { key: null, headers: { authorization: `bearer ${keys.all}` } })).status,
  ).toBe(200);
});

test.each<[string, string, string, RequestOptions, number, SandboxOptions?]>([
  ["a path comes before the method and the key", "PUT", "/api/v1/nothing", { key: null }, 404],
  ["a method before the key", "PUT", "/api/v1/emails/sched_1", { key: null }, 405],
  ["a key before the body", "POST", "/api/v1/emails", { key: keys.revoked, raw: "{" }, 401],
  [
    "the rate limit before the ability",
    "POST",
    "/api/v1/emails",
    { key: keys.read },
    429,
    { requestsPerMinute: 0 },
  ],
  ["the ability before the body", "POST", "/api/v1/emails", { key: keys.read, raw: "{" }, 403],
  ["the product before the body", "POST", "/api/v1/emails", { key: keys.noEmail, raw: "{" }, 402],
  ["fields before the message", "PATCH", "/api/v1/emails/never", { body: { scheduled_at: "soon" } }, 422],
])("of several errors, %s", async (_name, method, path, request, status, options) => {
  const { call } = await startRig(options);
  expect((await call(method, path, request)).status).toBe(status);
});

const later = { scheduled_at: time(start + 5 * hour) };

/** Brings a message into a state. @returns its id */
const ways: Record<string, (rig: Rig) => Promise<string>> = {
  scheduled: (rig) => scheduled(rig),
  canceled: async (rig) => {
    const id = await scheduled(rig);
    await rig.call("DELETE", `/api/v1/emails/${id}`);
    return id;
  },
  sent: async (rig) => (await rig.post("/api/v1/emails", mail())).body.id,
  delivered: (rig) => sendAndWait(rig, "ada@customers.example"),
  bounced: (rig) => sendAndWait(rig, "bounce@simulator.example"),
  complained: (rig) => sendAndWait(rig, "complaint@simulator.example"),
};

async function sendAndWait(rig: Rig, to: string): Promise<string> {
  const { body } = await rig.post("/api/v1/emails", mail({ to: [to] }));
  await rig.sandbox.clock.advance(60_000);
  return body.id;
}

test.each(Object.entries(ways))(
  "a message that is %s is rescheduled and canceled only while it waits, and otherwise left as it was",
  async (status, reach) => {
    const rig = await startRig();
    const path = `/api/v1/emails/${await reach(rig)}`;
    const before = (await rig.get(path)).body;
    expect(before.status).toBe(status);
    const moved = await rig.call("PATCH", path, { body: later });
    const canceled = await rig.call("DELETE", path);
    const after = (await rig.get(path)).body;
    if (status === "scheduled") {
      expect(moved.body).toMatchObject({ id: before.id, status, ...later });
      expect(canceled.body).toEqual({ id: before.id, status: "canceled" });
      const { status_description } = after;
      expect(after).toEqual({ ...before, ...later, status: "canceled", status_description });
    } else {
      expect([moved.type, canceled.type]).toEqual(["not_reschedulable", "not_cancellable"]);
      expect(after).toEqual(before);
    }
  },
);
