import { describe, expect, test } from "vitest";
import { limits } from "../../generated/limits.ts";
import { confirm } from "../../sandbox/domain/contacts.ts";
import { loadSeed } from "../../sandbox/seed/load.ts";
import { keys, mail, type Rig, start, startRig, time } from "./rig.ts";

/** The path of all contacts. */
const contacts = "/api/v1/newsletter/contacts";
/** The path of a contact. */
const pathOf = (email: string) => `${contacts}/${encodeURIComponent(email)}`;
/** The email address of the demo contact with a status on the first list. */
const known = (status: string) => `${status}@readers.example`;
const states = ["pending", "subscribed", "unsubscribed", "cleaned", "complained"];
/** The demo list with double opt-in. */
const list = 1;

const add = ({ post }: Rig, change: object = {}) =>
  post(contacts, { email: "new@readers.example", list_id: 2, ...change });

/** What the store keeps of a contact. */
const kept = async ({ sandbox }: Rig, email: string) => {
  const contact = await sandbox.store.contact("bakery", email);
  if (contact === undefined) throw new Error(`no contact ${email}`);
  return contact;
};

describe("adding a contact", () => {
  test("sends a confirmation email of the service for a list with double opt-in only", async () => {
    const rig = await startRig();
    await add(rig, { list_id: list });
    await add(rig, { list_id: list });
    await add(rig, { list_id: 2 });
    await add(rig, { list_id: list, email: "gone@readers.example" });
    const mails = await rig.sandbox.outbox.messages();
    expect(mails.map(({ to, from }) => [from, ...to])).toEqual([
      ["newsletter@bakery.example", "new@readers.example"],
    ]);
    expect(mails[0]?.content.text).toContain('{"email":"new@readers.example","list_id":1}');
    expect((await rig.get(`/api/v1/emails/${mails[0]?.id}`)).status).toBe(404);
    const { headers } = await rig.post("/api/v1/emails", mail());
    expect(headers["x-service-monthly-remaining"]).toBe("9999");
  });

  test("stores the consent; without one, that the contact came through the API", async () => {
    const rig = await startRig();
    const consent = { detail: "Asked at the fair", ip: "203.0.113.7", user_agent: "Firefox" };
    await add(rig, { consent });
    await add(rig, { email: "other@readers.example" });
    expect((await kept(rig, "new@readers.example")).memberships[0]?.consents).toEqual([
      { detail: "Asked at the fair", ip: "203.0.113.7", userAgent: "Firefox", at: start },
    ]);
    const [membership] = (await kept(rig, "other@readers.example")).memberships;
    expect(membership?.consents[0]?.detail).toMatch(/API/);
  });
});

test.each(states)("a contact who is %s can leave everything, and nothing puts it back", async (status) => {
  const rig = await startRig();
  const response = await rig.post(`${pathOf(known(status))}/unsubscribe`, {});
  expect(response.body.marketing_blocked).toBe(true);
  const later = await add(rig, { email: known(status), list_id: 3 });
  expect([later.status, later.body.status]).toEqual([201, "unsubscribed"]);
  const again = await add(rig, { email: known(status), list_id: list });
  expect([again.status, again.body.status]).toEqual([200, "unsubscribed"]);
  const { body } = await rig.get(pathOf(known(status)));
  expect(body.lists.every((membership: { status: string }) => membership.status === "unsubscribed")).toBe(
    true,
  );
});

test("a confirmation that is clicked after leaving does not subscribe again", async () => {
  const rig = await startRig();
  await add(rig, { list_id: list });
  const token = (await kept(rig, "new@readers.example")).memberships[0]?.confirmation ?? "";
  await rig.post(`${pathOf("new@readers.example")}/unsubscribe`, { list_id: list });
  expect(confirm(await kept(rig, "new@readers.example"), token, start)).toBeUndefined();
});

test("a contact who left a list before keeps the time of leaving", async () => {
  const rig = await startRig();
  const before = (await rig.get(pathOf(known("unsubscribed")))).body.lists[0].unsubscribed_at;
  await rig.sandbox.clock.advance(60_000);
  const { body } = await rig.post(`${pathOf(known("unsubscribed"))}/unsubscribe`, {});
  expect(body.lists.map((membership: { unsubscribed_at: string }) => membership.unsubscribed_at)).toEqual([
    before,
    time(start + 60_000),
  ]);
});

test("leaving a list that the contact is not on, or that the account does not have, is rejected", async () => {
  const rig = await startRig();
  for (const listId of [3, 11, 999]) {
    const response = await rig.post(`${pathOf(known("subscribed"))}/unsubscribe`, { list_id: listId });
    expect(response.status, `list ${listId}`).toBe(404);
  }
});

test("an email address in a path is decoded, and compared without regard to case", async () => {
  const { get, post } = await startRig();
  await post(contacts, { email: "o'hara+news@readers.example", list_id: 2 });
  expect((await get(pathOf("O'Hara+News@Readers.Example"))).body.email).toBe("o'hara+news@readers.example");
  expect((await get(`${contacts}/o'hara+news@readers.example`)).status).toBe(200);
  expect((await get(`${contacts}/o'hara%252Bnews@readers.example`)).status).toBe(404);
});

test("a malformed email address in a path gets 404, and 422 first if the body is invalid", async () => {
  const { get, post } = await startRig();
  const path = pathOf("not an email address");
  expect((await get(path)).type).toBe("not_found");
  expect((await post(`${path}/unsubscribe`, {})).type).toBe("not_found");
  const { status, fields } = await post(`${path}/unsubscribe`, { list_id: "one" });
  expect([status, fields]).toEqual([422, ["list_id"]]);
});

test.each(["jörg@lesende.example", "ada@intranet", "o'neil@readers.example"])(
  "the seeded contact %s is found, and can be unsubscribed",
  async (email) => {
    const seed = await loadSeed();
    const [first, ...others] = seed.accounts;
    if (first === undefined) throw new Error("the demo seed has no account");
    const contact = { email, memberships: [{ list: 2, status: "subscribed" as const }] };
    const accounts = [{ ...first, contacts: [contact] }, ...others];
    const { sandbox } = await startRig({ seed: { ...seed, accounts } });
    const json = { "content-type": "application/json" };
    // Without the rig's check of the response: the contract requires common email addresses.
    const request = (path: string, init: RequestInit) =>
      sandbox.fetch(path, { headers: { authorization: `Bearer ${keys.all}`, ...json }, ...init });
    const found = await request(pathOf(email), {});
    expect([found.status, await found.json()]).toMatchObject([200, { email }]);
    const left = await request(`${pathOf(email)}/unsubscribe`, { method: "POST", body: "{}" });
    expect([left.status, await left.json()]).toMatchObject([200, { marketing_blocked: true }]);
  },
);

test("a tag that is too long hides no custom field, and one value of a wrong form hides no other", async () => {
  const fields = { city: true, orders: "many", birthday: "2023-02-29", website: "a.example", shoe: 1 };
  const response = await add(await startRig(), { tags: ["x".repeat(limits.contactTagLength + 1)], fields });
  const named = Object.keys(fields).map((key) => `fields.${key}`);
  expect(response.fields.toSorted()).toEqual([...named, "tags.0"].toSorted());
  expect(response.body.error.fields["fields.city"]).toHaveLength(1);
});

test("a list id that is not a whole number has one error", async () => {
  const response = await add(await startRig(), { list_id: 1.5 });
  expect(response.body.error.fields).toEqual({ list_id: ["Must be a whole number."] });
});

test.each(["9007199254740992", "-9007199254740993", "1e300", "0", "-1"])(
  "no list has the id %s: 404",
  async (id) => {
    const { call } = await startRig();
    const rejected = await call("POST", contacts, { raw: `{"email":"new@readers.example","list_id":${id}}` });
    expect([rejected.status, rejected.type]).toEqual([404, "not_found"]);
    const path = `${pathOf(known("subscribed"))}/unsubscribe`;
    expect((await call("POST", path, { raw: `{"list_id":${id}}` })).status).toBe(404);
    // What is wrong with other fields comes first.
    const invalid = await call("POST", contacts, { raw: `{"email":"ada","list_id":${id}}` });
    expect([invalid.status, invalid.fields]).toEqual([422, ["email"]]);
  },
);

test.each([
  ["none", {}],
  ["an empty one", { raw: "" }],
  ["an empty one of another type", { raw: "", headers: { "content-type": "text/plain" } }],
])("unsubscribing without a body (%s) leaves everything, like an empty object", async (_, options) => {
  const { call } = await startRig();
  const path = `${pathOf(known("subscribed"))}/unsubscribe`;
  const { status, body } = await call("POST", path, options);
  expect([status, body.marketing_blocked]).toEqual([200, true]);
  expect(body.lists.every((list: { status: string }) => list.status === "unsubscribed")).toBe(true);
  expect((await call("POST", path, { raw: " " })).status).toBe(422);
});
