import { expect, test } from "vitest";
import { loadSeed } from "../../../sandbox/seed/load.ts";
import { keys, startRig } from "../rig.ts";
import { contacts, pathOf } from "./contacts.ts";

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
