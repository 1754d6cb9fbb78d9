import { describe, expect, test } from "vitest";
import { abilities, type OperationId, operations } from "../../generated/operations.ts";
import { make, scheduled, validRequest } from "./responses.ts";
import { day, hour, keys, mail, type Rig, start, startRig, time } from "./rig.ts";

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

const later = { scheduled_at: time(start + 5 * hour) };

/** Brings a message into a state, and tells its id. */
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

describe.each(Object.keys(ways))("a message that is %s", (status) => {
  test("has this status when it is read back", async () => {
    const rig = await startRig();
    const id = await ways[status]?.(rig);
    expect((await rig.get(`/api/v1/emails/${id}`)).body.status).toBe(status);
  });

  test("is rescheduled only while it waits, and otherwise left as it was", async () => {
    const rig = await startRig();
    const path = `/api/v1/emails/${await ways[status]?.(rig)}`;
    const before = (await rig.get(path)).body;
    const response = await rig.call("PATCH", path, { body: later });
    const after = (await rig.get(path)).body;
    if (status === "scheduled") {
      expect(response.body).toMatchObject({
        id: before.id,
        status: "scheduled",
        scheduled_at: later.scheduled_at,
      });
      expect(after).toEqual({ ...before, scheduled_at: later.scheduled_at });
    } else {
      expect([response.status, response.type]).toEqual([409, "not_reschedulable"]);
      expect(after).toEqual(before);
    }
  });

  test("is canceled only while it waits, and otherwise left as it was", async () => {
    const rig = await startRig();
    const path = `/api/v1/emails/${await ways[status]?.(rig)}`;
    const before = (await rig.get(path)).body;
    const response = await rig.call("DELETE", path);
    const after = (await rig.get(path)).body;
    if (status === "scheduled") {
      expect(response.body).toEqual({ id: before.id, status: "canceled" });
      expect(after).toEqual({ ...before, status: "canceled", status_description: after.status_description });
    } else {
      expect([response.status, response.type]).toEqual([409, "not_cancellable"]);
      expect(after).toEqual(before);
    }
  });
});

test("a scheduled message goes out at its time, once, and keeps its id", async () => {
  const rig = await startRig();
  const path = `/api/v1/emails/${await scheduled(rig)}`;
  await rig.call("PATCH", path, { body: later });
  await rig.sandbox.clock.advance(5 * hour - 1);
  expect((await rig.get(path)).body.status).toBe("scheduled");
  await rig.sandbox.clock.advance(1);
  const sent = (await rig.get(path)).body;
  expect(sent).toMatchObject({
    status: "sent",
    sent_at: later.scheduled_at,
    scheduled_at: later.scheduled_at,
  });
  await rig.sandbox.clock.advance(hour);
  const delivered = (await rig.get(path)).body;
  expect(delivered.status).toBe("delivered");
  expect(delivered.events.map(({ type }: { type: string }) => type)).toEqual(["sent", "delivered"]);
});

test("a canceled message never goes out", async () => {
  const rig = await startRig();
  const id = await ways.canceled?.(rig);
  await rig.sandbox.clock.advance(2 * hour);
  expect((await rig.get(`/api/v1/emails/${id}`)).body).toMatchObject({ status: "canceled", sent_at: null });
});

test("a bounce tells what happened, and its event says the same", async () => {
  const rig = await startRig();
  const { body } = await rig.get(`/api/v1/emails/${await ways.bounced?.(rig)}`);
  expect(body.bounce.permanent).toBe(true);
  expect(body.events.at(-1)).toMatchObject({
    type: "bounced",
    detail: body.bounce.diagnostic,
    at: body.bounced_at,
  });
});

test.each([
  ["success", "delivered"],
  ["bounce", "bounced"],
  ["complaint", "complained"],
  ["suppressionlist", "bounced"],
  ["SUCCESS", "delivered"],
])("mail to %s at the simulator domain ends as %s, and can be sent again", async (local, status) => {
  const rig = await startRig();
  for (let count = 0; count < 2; count += 1) {
    const id = await sendAndWait(rig, `${local}@simulator.example`);
    expect((await rig.get(`/api/v1/emails/${id}`)).body.status).toBe(status);
  }
});

test("the worst that happens to a recipient is what happens to the message", async () => {
  const rig = await startRig();
  const message = mail({ to: ["success@simulator.example"], cc: ["complaint@simulator.example"] });
  const complained = (await rig.post("/api/v1/emails", message)).body.id;
  const bounced = (await rig.post("/api/v1/emails", { ...message, bcc: ["bounce@simulator.example"] })).body
    .id;
  await rig.sandbox.clock.advance(60_000);
  expect((await rig.get(`/api/v1/emails/${complained}`)).body.status).toBe("complained");
  expect((await rig.get(`/api/v1/emails/${bounced}`)).body.status).toBe("bounced");
});
