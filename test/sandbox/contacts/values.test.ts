import { expect, test } from "vitest";
import { limits } from "../../../generated/limits.ts";
import { startRig } from "../rig.ts";
import { add, contacts, known, pathOf } from "./contacts.ts";

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
