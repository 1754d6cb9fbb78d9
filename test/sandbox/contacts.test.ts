import { expect, test } from "vitest";
import { limits } from "../../generated/limits.ts";
import { confirm } from "../../sandbox/domain/contacts.ts";
import { loadSeed } from "../../sandbox/seed/load.ts";
import { keys, mail, type Rig, start, startRig, time } from "./rig.ts";

/** The path of all contacts. */
const contacts = "/api/v1/newsletter/contacts";
/** The path of a contact. */
const pathOf = (email: string) => `${contacts}/${encodeURIComponent(email)}`;
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

test("a list with double opt-in, and no other, sends a confirmation email of the service", async () => {
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

test("the consent is stored; without one, that the contact came through the API", async () => {
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

test("a confirmation that is clicked after leaving does not subscribe again", async () => {
  const rig = await startRig();
  await add(rig, { list_id: list });
  const token = (await kept(rig, "new@readers.example")).memberships[0]?.confirmation ?? "";
  await rig.post(`${pathOf("new@readers.example")}/unsubscribe`, { list_id: list });
  expect(confirm(await kept(rig, "new@readers.example"), token, start)).toBeUndefined();
});

test("a contact who left a list before keeps the time of leaving", async () => {
  const rig = await startRig();
  const path = pathOf("unsubscribed@readers.example");
  const before = (await rig.get(path)).body.lists[0].unsubscribed_at;
  await rig.sandbox.clock.advance(60_000);
  const { body } = await rig.post(`${path}/unsubscribe`, {});
  expect(body.lists.map((membership: { unsubscribed_at: string }) => membership.unsubscribed_at)).toEqual([
    before,
    time(start + 60_000),
  ]);
});

test("leaving a list that the contact is not on is rejected, and so is a malformed email address", async () => {
  const { post } = await startRig();
  expect((await post(`${pathOf("subscribed@readers.example")}/unsubscribe`, { list_id: 3 })).status).toBe(
    404,
  );
  const path = `${pathOf("not an email address")}/unsubscribe`;
  expect((await post(path, {})).type).toBe("not_found");
  expect((await post(path, { list_id: "one" })).fields).toEqual(["list_id"]);
});

test.each(["jörg@lesende.example", "ada@intranet", "o'neil+news@readers.example"])(
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
    const found = await request(pathOf(email.toUpperCase()), {});
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

test.each(["9007199254740992", "1e300", "-1"])("no list has the id %s: 404", async (id) => {
  const { call } = await startRig();
  const rejected = await call("POST", contacts, { raw: `{"email":"new@readers.example","list_id":${id}}` });
  expect([rejected.status, rejected.type]).toEqual([404, "not_found"]);
  const path = `${pathOf("subscribed@readers.example")}/unsubscribe`;
  expect((await call("POST", path, { raw: `{"list_id":${id}}` })).status).toBe(404);
  // What is wrong with other fields comes first.
  const invalid = await call("POST", contacts, { raw: `{"email":"ada","list_id":${id}}` });
  expect([invalid.status, invalid.fields]).toEqual([422, ["email"]]);
});

test.each([{}, { raw: "" }, { raw: "", headers: { "content-type": "text/plain" } }])(
  "unsubscribing with %j, which has no body, leaves everything, like an empty object",
  async (options) => {
    const { call } = await startRig();
    const path = `${pathOf("subscribed@readers.example")}/unsubscribe`;
    const { status, body } = await call("POST", path, options);
    expect([status, body.marketing_blocked]).toEqual([200, true]);
    expect((await call("POST", path, { raw: " " })).status).toBe(422);
  },
);
