import { describe, expect, test } from "vitest";
import type { Seed } from "../../sandbox/index.ts";
import { mail, startRig, without } from "./rig.ts";

/** The names of what every object of JavaScript inherits. */
const inherited = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];

/** An object with one entry, whatever its name: an assignment to `__proto__` creates none. */
const entry = (name: string, value: unknown): object => Object.fromEntries([[name, value]]);

/** A body as JSON: `JSON.stringify` omits no name, and an object literal would. */
const raw = (body: object): string => JSON.stringify(body);

describe.each(inherited)("%s is a name like any other", (name) => {
  // A seed has ids that start with a letter or a digit.
  const id = name === "__proto__" ? "proto" : name;
  const seed: Seed = {
    accounts: [
      {
        id,
        keys: [{ key: "a_key_of_that_account", id, label: name }],
        domains: [{ name: "bakery.example" }],
        templates: [{ id, subject: `{{${name}}}`, html: `{{${name}}}`, text: "{{other}}" }],
        lists: [{ id: 1, name }],
        customFields: [{ key: id, type: "text" }],
      },
    ],
  };
  const withKey = { key: "a_key_of_that_account" };

  test("for an account, its key, its label and its rate limit", async () => {
    const { sandbox, get } = await startRig({ seed, requestsPerMinute: {} });
    const { body, headers } = await get("/api/v1/me", withKey);
    expect([body.account.id, headers["x-ratelimit-limit"]]).toEqual([id, "120"]);
    expect(Object.entries(sandbox.keys)).toEqual([[name, withKey.key]]);
  });

  test("for a template and its variables", async () => {
    const { post, sandbox } = await startRig({ seed });
    const message = without(mail({ template_id: id }), "subject", "text");
    expect((await post("/api/v1/emails", message, withKey)).status).toBe(202);
    const [missing] = await sandbox.outbox.messages();
    expect(missing?.content).toMatchObject({ subject: "", html: "", missingVariables: [name, "other"] });
    const body = raw({ ...message, variables: entry(name, "Ada") });
    expect((await post("/api/v1/emails", undefined, { ...withKey, raw: body })).status).toBe(202);
    const [filled] = await sandbox.outbox.messages();
    expect(filled?.content).toMatchObject({ subject: "Ada", html: "Ada", missingVariables: ["other"] });
    expect((await post("/api/v1/emails", { ...message, template_id: `x${id}` }, withKey)).status).toBe(422);
  });

  test("for tags and headers", async () => {
    const { post, get, sandbox } = await startRig();
    const tags = entry(name, "a");
    const headers = entry(`X-${name}`, "b");
    const { body } = await post("/api/v1/emails", undefined, { raw: raw(mail({ tags, headers })) });
    const found = await get(`/api/v1/emails/${body.id}`);
    expect(Object.entries(found.body.tags)).toEqual([[name, "a"]]);
    const [message] = await sandbox.outbox.messages();
    expect(Object.entries(message?.content.headers ?? {})).toEqual([[`X-${name}`, "b"]]);
  });

  test.each([
    ["a tag", { tags: entry(name, 1) }, `tags.${name}`],
    ["a header", { headers: entry(name, "a") }, `headers.${name}`],
    ["the end of a header", { headers: entry(`X-a.${name}`, "b\r\nc") }, `headers.X-a.${name}`],
  ])("for %s, in the names and sentences of an error", async (_, change, field) => {
    const { post } = await startRig();
    const { status, body } = await post("/api/v1/emails", undefined, { raw: raw(mail({ ...change })) });
    expect([status, Object.keys(body.error.fields)]).toEqual([422, [field]]);
    expect(body.error.fields[field]).toEqual([expect.stringMatching(/^[A-Z].*\.$/)]);
  });

  test("for a custom field", async () => {
    const { post, sandbox } = await startRig({ seed });
    const contact = { email: "ada@readers.example", list_id: 1 };
    const upsert = (fields: object) =>
      post("/api/v1/newsletter/contacts", undefined, { ...withKey, raw: raw({ ...contact, fields }) });
    expect((await upsert(entry(id, "x"))).status).toBe(201);
    const found = await sandbox.store.contact(id, "ada@readers.example");
    expect(Object.entries(found?.fields ?? {})).toEqual([[id, "x"]]);
    const unknown = await upsert(entry(`x${name}`, "x"));
    expect([unknown.status, unknown.fields]).toEqual([422, [`fields.x${name}`]]);
    const inheritedOnly = await upsert(entry(name === id ? "other" : name, "x"));
    expect(inheritedOnly.status).toBe(422);
  });
});
