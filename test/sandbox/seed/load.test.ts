import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { UserError } from "../../../lib/user-error.ts";
import { checkSeed } from "../../../sandbox/seed/check.ts";
import { loadSeed } from "../../../sandbox/seed/load.ts";
import type { Seed, SeedMessage } from "../../../sandbox/seed/seed.ts";

const folder = mkdtempSync(join(tmpdir(), "seed-"));
afterAll(() => rmSync(folder, { recursive: true }));

const written = (text: string | Uint8Array, name = "seed.yaml"): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const errorOf = async (source: string | Seed): Promise<UserError> => {
  const error: unknown = await loadSeed(source).catch((reason: unknown) => reason);
  if (error instanceof UserError) return error;
  throw new Error(`no UserError: ${String(error)}`);
};

const account = (more: object): Seed => ({ accounts: [{ id: "shop", keys: [], ...more }] });

const message = (change: Partial<SeedMessage>): SeedMessage => ({
  ...{ id: "sched_1", from: "a@shop.example", to: ["ada@readers.example"] },
  ...{ subject: "Hello", text: "Hi", scheduledAt: "P1D", ...change },
});

describe("valid seeds", () => {
  test("the demo seed is valid", async () => {
    expect(checkSeed(await loadSeed())).toHaveProperty("accounts.0.id", "bakery");
  });

  test("YAML", async () => {
    const path = written("accounts:\n  - id: shop\n    keys: [{ key: shop_key_1 }]\n");
    expect(await loadSeed(path)).toEqual({ accounts: [{ id: "shop", keys: [{ key: "shop_key_1" }] }] });
  });

  test("JSON", async () => {
    const path = written('{ "accounts": [{ "id": "shop", "keys": [] }] }', "seed.json");
    expect(await loadSeed(path)).toEqual(account({}));
  });

  test("a seed as an object", async () => {
    expect(await loadSeed(account({}))).toEqual(account({}));
  });
});

describe("invalid seeds are rejected, with the place of each problem", () => {
  test.for<[string, string, string]>([
    [
      "an unknown property",
      "accounts:\n  - id: shop\n    keys: []\n    domain: a.example\n",
      ":4:13 accounts[0].domain is not a known property; the known ones are id,",
    ],
    ["a missing property", "accounts:\n  - id: shop\n", ":2:5 accounts[0] must have the property keys"],
    [
      "an unknown value",
      "accounts:\n  - id: shop\n    keys: []\n    domains:\n      - { name: a.example, state: ok }\n",
      ':5:35 accounts[0].domains[0].state must be one of verified, unverified, stopped (got "ok")',
    ],
    [
      "a wrong type",
      "accounts:\n  - id: shop\n    keys: []\n    monthlyQuota: many\n",
      ":4:19 accounts[0].monthlyQuota must be an integer",
    ],
    [
      "an unknown ability",
      "accounts:\n  - id: shop\n    keys: [{ key: shop_key_1, abilities: [mail] }]\n",
      ":3:43 accounts[0].keys[0].abilities[0] must be one of email:send,",
    ],
    [
      "an ability that is a property of every object",
      "accounts:\n  - id: shop\n    keys: [{ key: shop_key_1, abilities: [constructor] }]\n",
      ":3:43 accounts[0].keys[0].abilities[0] must be one of email:send,",
    ],
    [
      "an invalid time",
      "accounts:\n  - id: shop\n    keys: [{ key: shop_key_1, stopsAt: soon }]\n",
      ":3:40 accounts[0].keys[0].stopsAt is invalid (When a replaced key stops working",
    ],
    [
      "an id with another start",
      "accounts:\n  - id: __proto__\n    keys: []\n",
      ":2:9 accounts[0].id is invalid (Up to 64 letters, digits,",
    ],
    ["invalid YAML", "accounts:\n  - id: [\n", ":3:1: invalid YAML or JSON"],
    [
      "a duplicate key in a mapping",
      "accounts: []\naccounts: []\n",
      ":2:1: invalid YAML or JSON: Map keys must be unique",
    ],
  ])("%s", async ([, text, expected]) => {
    const { message, hint } = await errorOf(written(text));
    expect(message).toContain(`seed.yaml${expected}`);
    expect(hint).not.toBe("");
  });

  test.for<[string, Seed, string]>([
    [
      "a duplicate account",
      { accounts: [...account({}).accounts, ...account({}).accounts] },
      'accounts[1].id must be unique (got "shop")',
    ],
    [
      "a duplicate key",
      account({ keys: [{ key: "shop_key_1" }, { key: "shop_key_1" }] }),
      "accounts[0].keys[1].key must be unique",
    ],
    [
      "a key restricted to an unknown domain",
      account({ keys: [{ key: "shop_key_1", domain: "a.example" }] }),
      "accounts[0].keys[0].domain must be a domain of the account",
    ],
    [
      "a membership of an unknown list",
      account({ contacts: [{ email: "a@b.example", memberships: [{ list: 4, status: "pending" }] }] }),
      "accounts[0].contacts[0].memberships[0].list must be the id of a list of the account (got 4)",
    ],
    [
      "a duplicate contact",
      account({ contacts: [{ email: "a@b.example" }, { email: "A@b.example" }] }),
      "accounts[0].contacts[1].email must be unique",
    ],
    [
      "an unknown custom field",
      account({ contacts: [{ email: "a@b.example", fields: { city: "Leeds" } }] }),
      "accounts[0].contacts[0].fields.city must be a custom field of the account",
    ],
    [
      "a value of another type than its field",
      account({
        customFields: [{ key: "born", type: "date" }],
        contacts: [{ email: "a@b.example", fields: { born: "2001-02-30" } }],
      }),
      'fields.born must be a date (got "2001-02-30")',
    ],
    [
      "a time that does not exist",
      account({ keys: [{ key: "shop_key_1", stopsAt: "2026-02-30T10:00:00Z" }] }),
      "keys[0].stopsAt must be an existing time",
    ],
    [
      "a time in the year 10000 in UTC",
      account({ keys: [{ key: "shop_key_1", stopsAt: "9999-12-31T23:59:59-00:01" }] }),
      "keys[0].stopsAt must be an existing time",
    ],
    [
      "a duration of more than a hundred years",
      account({ keys: [{ key: "shop_key_1", stopsAt: "P99999999999D" }] }),
      'keys[0].stopsAt must be at most a hundred years (got "P99999999999D")',
    ],
    [
      "a key that is too short",
      account({ keys: [{ key: "short" }] }),
      'accounts[0].keys[0].key must have at least 8 characters (got "short")',
    ],
    [
      "a key that is too long",
      account({ keys: [{ key: "x".repeat(201) }] }),
      "accounts[0].keys[0].key must have at most 200 characters (got",
    ],
    [
      "a key with a space",
      account({ keys: [{ key: "shop key 1" }] }),
      "accounts[0].keys[0].key is invalid (The key: 8 to 200 letters, digits",
    ],
    [
      "two messages with the same id",
      account({ messages: [message({}), message({})] }),
      "accounts[0].messages[1].id must be unique",
    ],
    [
      "a message with an id of the form that the sandbox creates",
      account({ messages: [message({ id: "sched_1kdlfhvk000000022bi1" })] }),
      "accounts[0].messages[0].id is invalid (Starts with sched_, and differs",
    ],
    [
      "a message at a time that does not exist",
      account({ messages: [message({ scheduledAt: "2027-02-30T09:00:00Z" })] }),
      "accounts[0].messages[0].scheduledAt must be an existing time",
    ],
    [
      "a template without html and text",
      account({ templates: [{ id: "a", subject: "b" }] }),
      "accounts[0].templates[0] is invalid (Requires html, text or both",
    ],
  ])("%s", async ([, seed, expected]) => {
    expect((await errorOf(seed)).message).toContain(expected);
  });

  test("a missing file", async () => {
    const { message, exitCode } = await errorOf(join(folder, "none.yaml"));
    expect(message).toContain("none.yaml: there is no such file");
    expect(exitCode).toBe(2);
  });

  test("a file that is not UTF-8", async () => {
    expect((await errorOf(written(new Uint8Array([0xff, 0xfe, 0x00])))).message).toContain(
      "it is not UTF-8 text",
    );
  });

  test("a file with exponential aliases", async () => {
    const bomb = [
      "a: &a [x,x,x,x,x,x,x,x,x,x]",
      "b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]",
      "c: [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]",
    ];
    expect((await errorOf(written(bomb.join("\n")))).message).toContain("Excessive alias count");
  });

  test("a value that contains itself", async () => {
    expect((await errorOf(written("accounts: &a\n  - *a\n"))).message).toContain(
      "a value that contains itself",
    );
  });

  test("all problems are reported at once, at most ten in detail", async () => {
    const keys = Array.from({ length: 14 }, (_, index) => ({ key: `shop_key_${index}`, colour: "red" }));
    const { message } = await errorOf(account({ keys }));
    expect(message.match(/is not a known property/g)).toHaveLength(10);
    expect(message).toContain("and 4 more");
  });
});
