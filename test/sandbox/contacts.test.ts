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

const statusOn = async ({ get }: Rig, email: string, listId: number): Promise<string | undefined> => {
  const { body } = await get(pathOf(email));
  return body.lists.find(({ list_id }: { list_id: number }) => list_id === listId)?.status;
};

/** What the store keeps of a contact. */
const kept = async ({ sandbox }: Rig, email: string) => {
  const contact = await sandbox.store.contact("bakery", email);
  if (contact === undefined) throw new Error(`no contact ${email}`);
  return contact;
};

describe("adding a contact", () => {
  test("subscribes it at once on a list without double opt-in", async () => {
    const rig = await startRig();
    const response = await add(rig, { email: "NEW@Readers.Example" });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({
      email: "new@readers.example",
      status: "subscribed",
      subscribed_at: time(start),
    });
  });

  test("is pending on a list with double opt-in until it confirms", async () => {
    const rig = await startRig();
    const response = await add(rig, { list_id: list });
    expect([response.status, response.body.status, response.body.subscribed_at]).toEqual([
      201,
      "pending",
      null,
    ]);
    const contact = await kept(rig, "new@readers.example");
    const token = contact.memberships[0]?.confirmation ?? "";
    expect(token).toMatch(/^\w{20,}$/);
    expect(confirm(contact, "another", start)).toBeUndefined();
    const confirmed = confirm(contact, token, start + 1);
    expect(confirmed?.memberships[0]).toMatchObject({
      status: "subscribed",
      subscribedAt: start + 1,
      confirmation: null,
    });
  });

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

  test("stores the contact and its confirmation email in one step", async () => {
    const rig = await startRig();
    const { store } = rig.sandbox;
    // Whatever else were written after the contact would be lost.
    const lost = () => Promise.reject(new Error("the process has ended"));
    Object.assign(store, { accept: lost, change: lost, setSetting: lost });
    expect((await add(rig, { list_id: list })).body.status).toBe("pending");
    expect(await store.messages({ limit: 9 })).toHaveLength(1);
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

  test("of another account's list is rejected, and adds nothing", async () => {
    const rig = await startRig();
    const response = await add(rig, { list_id: 11 });
    expect([response.status, response.type]).toEqual([404, "not_found"]);
    expect((await rig.get(pathOf("new@readers.example"))).status).toBe(404);
  });
});

test.each(states)("adding a contact who is %s changes details, and never the status", async (status) => {
  const rig = await startRig();
  const response = await add(rig, { email: known(status), list_id: list, first_name: "Nina", tags: ["a"] });
  expect([response.status, response.body.status, response.body.first_name]).toEqual([200, status, "Nina"]);
  expect(await statusOn(rig, known(status), list)).toBe(status);
});

test("without an email plan the newsletter works", async () => {
  const { post } = await startRig();
  const response = await post(contacts, { email: "a@b.example", list_id: 21 }, { key: keys.noEmail });
  expect(response.status).toBe(201);
});

test.each(states)("a contact who is %s can leave one list, and keeps the others", async (status) => {
  const rig = await startRig();
  await add(rig, { email: known(status), list_id: 3 });
  const response = await rig.post(`${pathOf(known(status))}/unsubscribe`, { list_id: list, reason: "Moved" });
  expect(response.status).toBe(200);
  expect(await statusOn(rig, known(status), list)).toBe("unsubscribed");
  expect(await statusOn(rig, known(status), 3)).toBe("subscribed");
  expect(response.body.marketing_blocked).toBe(false);
  const contact = await kept(rig, known(status));
  expect(contact.memberships.find(({ listId }) => listId === list)?.reason).toBe("Moved");
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

test("a contact who left everything gets no confirmation email for a further list", async () => {
  const rig = await startRig();
  await add(rig);
  await rig.post(`${pathOf("new@readers.example")}/unsubscribe`, {});
  const response = await add(rig, { list_id: list });
  expect([response.status, response.body.status]).toEqual([201, "unsubscribed"]);
  expect(await rig.sandbox.outbox.messages()).toEqual([]);
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

test("transactional mail still reaches a contact who left everything", async () => {
  const rig = await startRig();
  await rig.post(`${pathOf(known("subscribed"))}/unsubscribe`, {});
  const message = { from: "a@bakery.example", to: [known("subscribed")], subject: "s", text: "t" };
  expect((await rig.post("/api/v1/emails", message)).body.suppressed).toEqual([]);
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

test("lists and fields are those of the account", async () => {
  const { get } = await startRig();
  expect((await get("/api/v1/newsletter/lists")).body.lists[0]).toEqual({
    id: 1,
    name: "Weekly letter",
    double_opt_in: true,
  });
  const { fields } = (await get("/api/v1/newsletter/fields")).body;
  expect(fields[0]).toEqual({ key: "city", label: "City", type: "text", fallback: "your town" });
  expect((await get("/api/v1/newsletter/lists", { key: keys.other })).body.lists).toHaveLength(1);
});

test("tags are added and never taken away, fields are set and cleared one by one", async () => {
  const rig = await startRig();
  const email = known("subscribed");
  const response = await add(rig, {
    email,
    tags: ["bread", "new"],
    fields: { city: null, orders: 13 },
    last_name: "Rao-Smith",
  });
  expect(response.body).toMatchObject({
    first_name: "Suresh",
    last_name: "Rao-Smith",
    tags: ["regular", "bread", "new"],
  });
  expect(response.body.fields).toEqual({
    orders: 13,
    birthday: "1984-02-29",
    website: "https://rao.example/",
  });
});

const texts = (count: number, length = 3) =>
  Array.from({ length: count }, (_, index) => String(index).padStart(length, "t"));
const { contactNameLength, contactTags, contactTagLength } = limits;

const edges: [name: string, taken: object, rejected: object, fields: string[]][] = [
  [
    "a first name",
    { first_name: "é".repeat(contactNameLength) },
    { first_name: "é".repeat(contactNameLength + 1) },
    ["first_name"],
  ],
  [
    "a last name",
    { last_name: "é".repeat(contactNameLength) },
    { last_name: "é".repeat(contactNameLength + 1) },
    ["last_name"],
  ],
  ["tags", { tags: texts(contactTags) }, { tags: texts(contactTags + 1) }, ["tags"]],
  ["a tag", { tags: texts(1, contactTagLength) }, { tags: texts(1, contactTagLength + 1) }, ["tags.0"]],
  ["text", { fields: { city: "Bath" } }, { fields: { city: 7 } }, ["fields.city"]],
  ["a number", { fields: { orders: 1.5 } }, { fields: { orders: "many" } }, ["fields.orders"]],
  ["a number in text", { fields: { orders: "12" } }, { fields: { orders: "" } }, ["fields.orders"]],
  [
    "a date",
    { fields: { birthday: "2024-02-29" } },
    { fields: { birthday: "2023-02-29" } },
    ["fields.birthday"],
  ],
  [
    "a URL",
    { fields: { website: "https://a.example/b" } },
    { fields: { website: "a.example" } },
    ["fields.website"],
  ],
  [
    "another URL",
    { fields: { website: "http://a.example" } },
    { fields: { website: "javascript:1" } },
    ["fields.website"],
  ],
  ["known fields", { fields: {} }, { fields: { shoe: 1, hat: 2 } }, ["fields.shoe", "fields.hat"]],
  ["values", { fields: null }, { fields: { city: true } }, ["fields.city"]],
  ["an address", { email: "a@b.example" }, { email: "a" }, ["email"]],
  ["a list", { list_id: 3 }, { list_id: "3" }, ["list_id"]],
  ["consent", { consent: {} }, { consent: { ip: 7 } }, ["consent.ip"]],
];

test.each(edges.filter(([name]) => name !== "values"))(
  "%s up to the limit is accepted",
  async (_name, taken) => {
    expect((await add(await startRig(), taken)).status).toBe(201);
  },
);

test.each(edges)("%s beyond the limit is rejected, and named", async (_name, _taken, rejected, fields) => {
  const response = await add(await startRig(), rejected);
  expect([response.status, response.type, response.fields]).toEqual([422, "invalid_request", fields]);
});

test("more values than one request may have are rejected", async () => {
  const fields = Object.fromEntries(texts(limits.contactFields + 1).map((name) => [name, "x"]));
  expect((await add(await startRig(), { fields })).fields).toEqual(["fields"]);
});

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
