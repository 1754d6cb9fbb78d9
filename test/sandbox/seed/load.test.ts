import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Mistake } from "../../../sandbox/mistake.ts";
import { checkSeed } from "../../../sandbox/seed/check.ts";
import { loadSeed } from "../../../sandbox/seed/load.ts";
import type { Seed } from "../../../sandbox/seed/seed.ts";

const folder = mkdtempSync(join(tmpdir(), "seed-"));
afterAll(() => rmSync(folder, { recursive: true }));

const written = (text: string | Uint8Array, name = "seed.yaml"): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const mistake = async (source: string | Seed): Promise<Mistake> => {
  const error: unknown = await loadSeed(source).catch((reason: unknown) => reason);
  if (error instanceof Mistake) return error;
  throw new Error(`no mistake: ${String(error)}`);
};

const account = (more: object): Seed => ({ accounts: [{ id: "shop", keys: [], ...more }] });

describe("what is taken", () => {
  test("the demo seed fits the schema, and what it refers to is there", async () => {
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

  test("a seed made by a program", async () => {
    expect(await loadSeed(account({}))).toEqual(account({}));
  });
});

describe("what is refused, with its place", () => {
  test.for<[string, string, string]>([
    [
      "a name that is not known",
      "accounts:\n  - id: shop\n    keys: []\n    domain: a.example\n",
      ":4:13 accounts[0].domain is not known here; known are id,",
    ],
    ["what is missing", "accounts:\n  - id: shop\n", ":2:5 accounts[0] lacks keys"],
    [
      "a wrong word",
      "accounts:\n  - id: shop\n    keys: []\n    domains:\n      - { name: a.example, state: ok }\n",
      ':5:35 accounts[0].domains[0].state is "ok", not one of verified, unverified, stopped',
    ],
    [
      "a wrong type",
      "accounts:\n  - id: shop\n    keys: []\n    monthlyQuota: many\n",
      ':4:19 accounts[0].monthlyQuota is "many", not integer',
    ],
    [
      "an ability that does not exist",
      "accounts:\n  - id: shop\n    keys: [{ key: shop_key_1, abilities: [mail] }]\n",
      ':3:43 accounts[0].keys[0].abilities[0] is "mail", not one of email:send,',
    ],
    [
      "an ability that every object has",
      "accounts:\n  - id: shop\n    keys: [{ key: shop_key_1, abilities: [constructor] }]\n",
      ':3:43 accounts[0].keys[0].abilities[0] is "constructor", not one of email:send,',
    ],
    [
      "a stop that is no time",
      "accounts:\n  - id: shop\n    keys: [{ key: shop_key_1, stopsAt: soon }]\n",
      ':3:40 accounts[0].keys[0].stopsAt is "soon", which does not look right (For a replaced key: when it stops working',
    ],
    ["what is no YAML", "accounts:\n  - id: [\n", ":3:1: this is not YAML or JSON"],
    [
      "a name that stands twice in a mapping",
      "accounts: []\naccounts: []\n",
      ":2:1: this is not YAML or JSON: Map keys must be unique",
    ],
  ])("%s", async ([, text, says]) => {
    const { message, hint } = await mistake(written(text));
    expect(message).toContain(`seed.yaml${says}`);
    expect(hint).not.toBe("");
  });

  test.for<[string, Seed, string]>([
    [
      "an account that is there twice",
      { accounts: [...account({}).accounts, ...account({}).accounts] },
      'accounts[1].id is there twice: "shop"',
    ],
    [
      "a key that is there twice",
      account({ keys: [{ key: "shop_key_1" }, { key: "shop_key_1" }] }),
      "accounts[0].keys[1].key is there twice",
    ],
    [
      "a key restricted to a domain of nobody",
      account({ keys: [{ key: "shop_key_1", domain: "a.example" }] }),
      "accounts[0].keys[0].domain",
    ],
    [
      "a membership on a list of nobody",
      account({ contacts: [{ email: "a@b.example", memberships: [{ list: 4, status: "pending" }] }] }),
      "accounts[0].contacts[0].memberships[0].list is 4, which is no list",
    ],
    [
      "a contact that is there twice",
      account({ contacts: [{ email: "a@b.example" }, { email: "A@b.example" }] }),
      "accounts[0].contacts[1].email is there twice",
    ],
    [
      "a field of nobody",
      account({ contacts: [{ email: "a@b.example", fields: { city: "Leeds" } }] }),
      "accounts[0].contacts[0].fields.city is no custom field",
    ],
    [
      "a value that does not fit its field",
      account({
        customFields: [{ key: "born", type: "date" }],
        contacts: [{ email: "a@b.example", fields: { born: "2001-02-30" } }],
      }),
      'fields.born is "2001-02-30", not a date',
    ],
    [
      "a time that does not exist",
      account({ keys: [{ key: "shop_key_1", stopsAt: "2026-02-30T10:00:00Z" }] }),
      "keys[0].stopsAt",
    ],
    [
      "a time that no four digits have a year for",
      account({ keys: [{ key: "shop_key_1", stopsAt: "9999-12-31T23:59:59-00:01" }] }),
      "keys[0].stopsAt",
    ],
    [
      "a key that lasts longer than anything",
      account({ keys: [{ key: "shop_key_1", stopsAt: "P99999999999D" }] }),
      'keys[0].stopsAt is "P99999999999D", which is longer than a hundred years',
    ],
    [
      "a template without a text",
      account({ templates: [{ id: "a", subject: "b" }] }),
      "accounts[0].templates[0] needs html, text or both",
    ],
  ])("%s", async ([, seed, says]) => {
    expect((await mistake(seed)).message).toContain(says);
  });

  test("a file that is not there", async () => {
    const { message, exitCode } = await mistake(join(folder, "none.yaml"));
    expect(message).toContain("none.yaml cannot be read");
    expect(exitCode).toBe(2);
  });

  test("a file that is not text", async () => {
    expect((await mistake(written(new Uint8Array([0xff, 0xfe, 0x00])))).message).toContain(
      "not text in UTF-8",
    );
  });

  test("a file whose aliases grow without end", async () => {
    const bomb = [
      "a: &a [x,x,x,x,x,x,x,x,x,x]",
      "b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]",
      "c: [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]",
    ];
    expect((await mistake(written(bomb.join("\n")))).hint).toBe("Write the repeated parts out.");
  });

  test("a file with a value that holds itself", async () => {
    expect((await mistake(written("accounts: &a\n  - *a\n"))).message).toContain("a value that holds itself");
  });

  test("many mistakes are told at once, ten at most", async () => {
    const keys = Array.from({ length: 14 }, (_, index) => ({ key: `shop_key_${index}`, colour: "red" }));
    const { message } = await mistake(account({ keys }));
    expect(message.match(/is not known here/g)).toHaveLength(10);
    expect(message).toContain("and 4 more");
  });
});
