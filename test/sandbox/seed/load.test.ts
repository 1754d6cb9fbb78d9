import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { abilities } from "../../../generated/operations.ts";
import { UserError } from "../../../lib/user-error.ts";
import { checkSeed } from "../../../sandbox/seed/check.ts";
import { createDirectory } from "../../../sandbox/seed/directory.ts";
import { filledAt, initialState, isOtherSeed, loadSeed } from "../../../sandbox/seed/load.ts";
import type { Seed, SeedAccount, SeedMembership, SeedMessage } from "../../../sandbox/seed/seed.ts";
import { MemoryStore } from "../../../sandbox/store/memory.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const folder = temporaryFolder(afterAll);

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

  test("YAML, JSON and an object are accepted", async () => {
    const given = { accounts: [{ id: "shop", keys: [{ key: "shop_key_1" }] }] };
    const yaml = written("accounts:\n  - id: shop\n    keys: [{ key: shop_key_1 }]\n");
    for (const source of [yaml, written(JSON.stringify(given), "seed.json"), given])
      expect(await loadSeed(source)).toEqual(given);
  });
});

const rejected = parse(readFileSync(join(import.meta.dirname, "rejected.yaml"), "utf8")) as {
  files: { seed: string; says: string }[];
  accounts: {
    has: Partial<Omit<SeedAccount, "messages">> & { messages?: Partial<SeedMessage>[] };
    says: string;
  }[];
};

describe("invalid seeds are rejected, with the place of each problem", () => {
  test.each(rejected.files)("$says", async ({ seed, says }) => {
    const { message, hint } = await errorOf(written(seed));
    expect(message).toContain(`seed.yaml${says}`);
    expect(hint).not.toBe("");
  });

  test.each(rejected.accounts)("$says", async ({ has, says }) => {
    const messages = has.messages?.map(message);
    const given = account({ ...has, ...(messages && { messages }) });
    expect((await errorOf(given)).message).toContain(`accounts[0].${says}`);
  });

  test("a key that is too long", async () => {
    const { message } = await errorOf(account({ keys: [{ key: "x".repeat(201) }] }));
    expect(message).toContain("accounts[0].keys[0].key must have at most 200 characters (got");
  });

  test("a duplicate account", async () => {
    const [one] = account({}).accounts;
    const { message } = await errorOf({ accounts: [one, one] as SeedAccount[] });
    expect(message).toContain('accounts[1].id must be unique (got "shop")');
  });

  test("a missing file", async () => {
    const { message, exitCode } = await errorOf(join(folder, "none.yaml"));
    expect(message).toContain("none.yaml: there is no such file");
    expect(exitCode).toBe(2);
  });

  const ten = (value: string) => `[${Array(10).fill(value).join()}]`;

  test.each([
    ["it is not UTF-8 text", new Uint8Array([0xff, 0xfe, 0x00])],
    ["Excessive alias count", `a: &a ${ten("x")}\nb: &b ${ten("*a")}\nc: ${ten("*b")}`],
    ["a value that contains itself", "accounts: &a\n  - *a\n"],
  ])("a file: %s", async (problem, content) => {
    expect((await errorOf(written(content))).message).toContain(problem);
  });

  test("all problems are reported at once, at most ten in detail", async () => {
    const keys = Array.from({ length: 14 }, (_, index) => ({ key: `shop_key_${index}`, colour: "red" }));
    const { message } = await errorOf(account({ keys }));
    expect(message.match(/is not a known property/g)).toHaveLength(10);
    expect(message).toContain("and 4 more");
  });
});

const now = Date.parse("2027-03-31T09:00:00Z");
const day = 86_400_000;

/** Stores a seed, and returns its membership. */
async function seeded(entry: Omit<SeedMembership, "list">) {
  const store = new MemoryStore();
  const contacts = [{ email: "ada@readers.example", memberships: [{ list: 1, ...entry }] }];
  await store.fill(initialState({ accounts: [{ id: "shop", keys: [], contacts }] }, now));
  const [contact] = await store.contacts({ accountId: "shop", limit: 1 });
  return contact?.memberships[0];
}

test("a store that was filled from another seed keeps its data, until a reset", async () => {
  const store = new MemoryStore();
  const old = account({ contacts: [{ email: "ada@readers.example" }] });
  const changed = account({ contacts: [{ email: "bob@readers.example" }] });
  await store.fill(initialState(old, now));
  expect([isOtherSeed(store, old), isOtherSeed(store, changed)]).toEqual([false, true]);
  await store.fill(initialState(changed, now + day));
  expect(filledAt(store)).toBe(now);
  expect(isOtherSeed(store, changed)).toBe(true);
  const [contact] = await store.contacts({ accountId: "shop", limit: 9 });
  expect(contact?.email).toBe("ada@readers.example");
  await store.reset(initialState(changed, now + day));
  expect(filledAt(store)).toBe(now + day);
  expect(isOtherSeed(store, changed)).toBe(false);
});

test("a seed with other keys and lists, which are not stored, is not another one", async () => {
  const store = new MemoryStore();
  await store.fill(initialState(account({}), now));
  const keys = [{ key: "shop_key_1" }];
  expect(isOtherSeed(store, account({ keys, lists: [{ id: 1, name: "Weekly letter" }] }))).toBe(false);
  expect(isOtherSeed(store, { accounts: [{ id: "bakery", keys }] })).toBe(true);
});

test("a contact subscribed 30 days ago and unsubscribed a day ago by default", async () => {
  expect(await seeded({ status: "unsubscribed" })).toMatchObject({
    subscribedAt: now - 30 * day,
    unsubscribedAt: now - day,
  });
  expect(await seeded({ status: "subscribed" })).toMatchObject({ unsubscribedAt: null });
});

test("a message is sent at its time, or that long after the start", async () => {
  const message = { from: "a@shop.example", to: ["ada@readers.example"], subject: "Hello", text: "Hi" };
  const store = new MemoryStore();
  const messages = [
    { ...message, id: "sched_1", scheduledAt: "P1D" },
    { ...message, id: "sched_2", scheduledAt: "2027-04-02T09:00:00Z" },
  ];
  await store.fill(initialState(account({ messages }), now));
  const times = await Promise.all(
    messages.map(async ({ id }) => (await store.message("shop", id))?.scheduledAt),
  );
  expect(times).toEqual([now + day, now + 2 * day]);
  expect(isOtherSeed(store, account({ messages: messages.slice(1) }))).toBe(true);
});

test.each([
  ["unsubscribed long ago", { unsubscribedAt: "2026-01-01T00:00:00Z" }],
  ["subscribed just now", { subscribedAt: "2027-03-31T08:59:00Z" }],
])("a default never puts unsubscribing before subscribing: %s", async (_, given) => {
  const { subscribedAt, unsubscribedAt } = (await seeded({ status: "unsubscribed", ...given })) ?? {};
  expect(subscribedAt).toBe(unsubscribedAt);
});

const startedAt = Date.parse("2026-11-21T10:00:00Z");
const seed = await loadSeed();
const directory = createDirectory(seed, startedAt);

describe("keys", () => {
  test("a replaced key can stop at a given time", () => {
    const keys = [{ key: "shop_key_1", stopsAt: "2026-12-01T12:00:00+02:00" }];
    const other = createDirectory({ accounts: [{ id: "shop", keys }] }, startedAt);
    expect(other.key("shop_key_1")?.stopsAt).toBe(Date.parse("2026-12-01T10:00:00Z"));
  });

  test("no key can be read back from a directory", () => {
    expect(inspect(directory, { depth: 9, showHidden: true })).not.toContain("sandbox_all_2f7c");
  });
});

describe("accounts", () => {
  test("the names of domains are in lower case", () => {
    const domains = [{ name: "Stopped.Shop.Example", state: "stopped" as const }];
    const other = createDirectory({ accounts: [{ id: "shop", keys: [], domains }] }, startedAt);
    expect(other.domains("shop")).toEqual([{ name: "stopped.shop.example", state: "stopped" }]);
  });

  test("what a seed leaves out has its usual value", () => {
    const other = createDirectory({ accounts: [{ id: "shop", keys: [{ key: "shop_key_1" }] }] }, startedAt);
    expect(other.account("shop")).toEqual({
      ...{ id: "shop", name: "shop", products: { email: true, newsletter: true } },
      ...{ monthlyQuota: 10_000, atSendingCeiling: false },
    });
    expect(other.key("shop_key_1")).toMatchObject({
      ...{ id: "shop.key-1", label: "shop.key-1", domain: null, revoked: false, stopsAt: null },
      abilities: Object.keys(abilities),
    });
    expect(other.simulatorDomain).toBe("simulator.example");
  });
});
