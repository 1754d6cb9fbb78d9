import { describe, expect, test } from "vitest";
import { abilities, type OperationId, operations } from "../../generated/operations.ts";
import { make, validRequest } from "./requests.ts";
import { day, keys, start, startRig, time } from "./rig.ts";

const names = Object.keys(abilities);
const seedOf = (held: string[]) => ({
  accounts: [
    {
      id: "bakery",
      keys: [{ key: keys.all }, { key: "one_ability_only", abilities: held }],
      domains: [{ name: "bakery.example" }],
      lists: [
        { id: 1, name: "One" },
        { id: 2, name: "Two" },
      ],
      contacts: [
        { email: "subscribed@readers.example", memberships: [{ list: 1, status: "subscribed" as const }] },
      ],
    },
  ],
});

describe.each(names)("a key with the ability %s alone", (ability) => {
  test.each(Object.keys(operations) as OperationId[])("on %s", async (id) => {
    const rig = await startRig({ seed: seedOf([ability]) });
    const needed = operations[id].ability;
    const response = await make(rig, await validRequest(rig, id), { key: "one_ability_only" });
    if (needed === null || needed === ability) expect(response.status).toBeLessThan(300);
    else expect([response.status, response.type]).toEqual([403, "forbidden"]);
  });
});

test("a key without any ability may still ask about itself", async () => {
  const rig = await startRig({ seed: seedOf([]) });
  const { body } = await rig.get("/api/v1/me", { key: "one_ability_only" });
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

test("what belongs to another account is not there", async () => {
  const { get, call, post } = await startRig();
  const { body } = await post("/api/v1/emails", {
    from: "orders@bakery.example",
    to: ["ada@customers.example"],
    subject: "s",
    text: "t",
    scheduled_at: time(start + day),
  });
  const options = { key: keys.other };
  const path = `/api/v1/emails/${body.id}`;
  const contact = "/api/v1/newsletter/contacts/subscribed%40readers.example";
  const responses = [
    await get(path, options),
    await call("PATCH", path, { ...options, body: { scheduled_at: time(start + 2 * day) } }),
    await call("DELETE", path, options),
    await get(contact, options),
    await call("POST", `${contact}/unsubscribe`, { ...options, body: {} }),
    await post("/api/v1/newsletter/contacts", { email: "a@b.example", list_id: 1 }, options),
  ];
  expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
  expect((await get(path)).body.status).toBe("scheduled");
  expect((await get(contact)).body.marketing_blocked).toBe(false);
});

test("suppression is a matter of the account", async () => {
  const { post } = await startRig();
  const message = { from: "a@florist.example", to: ["gone@readers.example"], subject: "s", text: "t" };
  expect((await post("/api/v1/emails", message, { key: keys.other })).body.suppressed).toEqual([]);
});
