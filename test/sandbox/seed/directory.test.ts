import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { abilities } from "../../../generated/operations.ts";
import { createDirectory } from "../../../sandbox/seed/directory.ts";
import { loadSeed } from "../../../sandbox/seed/load.ts";
import { keyId } from "../../../sandbox/seed/seed.ts";

const startedAt = Date.parse("2026-11-21T10:00:00Z");
const seed = await loadSeed();
const directory = createDirectory(seed, startedAt);

describe("keys", () => {
  test("each key of the seed is found, and belongs to its account", () => {
    for (const account of seed.accounts)
      for (const [index, { key }] of account.keys.entries())
        expect(directory.key(key)).toMatchObject({ id: keyId(account, index), accountId: account.id });
  });

  test.for(["", "sandbox_all_2f7", "sandbox_all_2f7c ", "SANDBOX_ALL_2F7C", "__proto__"])(
    "%j is no key",
    (presented) => {
      expect(directory.key(presented)).toBeUndefined();
    },
  );

  test("a key without abilities of its own has them all", () => {
    expect(directory.key("sandbox_all_2f7c")?.abilities).toEqual(Object.keys(abilities));
  });

  test("a revoked key is found, and says so", () => {
    expect(directory.key("sandbox_revoked_40c8")?.revoked).toBe(true);
  });

  test("the overlap of a replaced key counts from the start", () => {
    expect(directory.key("sandbox_replaced_d26f")?.stopsAt).toBe(Date.parse("2026-11-24T10:00:00Z"));
  });

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
  test("the things of one account are not those of another", () => {
    expect(directory.list("bakery", 1)?.name).toBe("Weekly letter");
    expect(directory.list("florist", 1)).toBeUndefined();
    expect(directory.template("florist", "order-ready")).toBeUndefined();
    expect(directory.fields("florist")).toEqual([]);
  });

  test("the names of domains are in lower case", () => {
    const domains = [{ name: "Stopped.Shop.Example", state: "stopped" as const }];
    const other = createDirectory({ accounts: [{ id: "shop", keys: [], domains }] }, startedAt);
    expect(other.domains("shop")).toEqual([
      { accountId: "shop", name: "stopped.shop.example", state: "stopped" },
    ]);
  });

  test("what a seed leaves out has its usual value", () => {
    const other = createDirectory({ accounts: [{ id: "shop", keys: [{ key: "shop_key_1" }] }] }, startedAt);
    expect(other.account("shop")).toEqual({
      id: "shop",
      name: "shop",
      products: { email: true, newsletter: true },
      monthlyQuota: 10_000,
      atSendingCeiling: false,
    });
    expect(other.key("shop_key_1")).toMatchObject({
      id: "shop.key-1",
      label: "shop.key-1",
      domain: null,
      revoked: false,
      stopsAt: null,
    });
    expect(other.simulatorDomain).toBe("simulator.example");
  });

  test("an unknown id is an internal error", () => {
    expect(() => directory.account("nobody")).toThrow("unknown account nobody");
  });
});
