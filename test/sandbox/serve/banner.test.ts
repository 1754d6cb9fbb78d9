import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { loadSeed } from "../../../sandbox/seed/load.ts";
import type { Seed } from "../../../sandbox/seed/seed.ts";
import { banner, firstCall } from "../../../sandbox/serve/banner.ts";
import { callLine } from "../../../sandbox/serve/log.ts";

const url = "http://127.0.0.1:4020";
const started = { url, data: undefined, relay: null, control: true, clock: null };
const bannerOf = (seed: Seed): string => stripVTControlCharacters(banner({ ...started, seed }));

describe("what is said at the start", () => {
  test("every key, domain and list of the seed, within 80 columns", async () => {
    const seed = await loadSeed();
    const text = bannerOf(seed);
    for (const { keys, domains = [], lists = [] } of seed.accounts)
      for (const name of [
        ...keys.map(({ key }) => key),
        ...domains.map(({ name }) => name),
        ...lists.map(({ name }) => name),
      ])
        expect(text).toContain(name);
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  test("long keys and names keep their place", () => {
    const key = `shop_${"x".repeat(60)}`;
    const text = bannerOf({ accounts: [{ id: "shop", keys: [{ key, label: "y".repeat(200) }] }] });
    expect(text).toContain(`  ${key}\n`);
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  test("where pages and control calls are off, it says how to open them", () => {
    const text = banner({ ...started, control: false, seed: { accounts: [{ id: "shop", keys: [] }] } });
    expect(text).toContain("--control");
    expect(text).not.toContain("/sandbox/");
  });

  test("a clock that is elsewhere says so", () => {
    const clock = { at: Date.parse("2027-01-31T09:00:00Z"), frozen: true };
    const text = banner({ ...started, clock, seed: { accounts: [{ id: "shop", keys: [] }] } });
    expect(text).toContain("stands still at 2027-01-31T09:00:00.000Z");
  });
});

describe("the first call that is shown", () => {
  const domains = [{ name: "shop.example" }];
  const keys = [{ key: "shop_key_1" }];

  test.for<[string, Seed["accounts"][number]]>([
    ["a revoked key", { id: "shop", domains, keys: [{ key: "shop_key_1", revoked: true }] }],
    [
      "a key that cannot send",
      { id: "shop", domains, keys: [{ key: "shop_key_1", abilities: ["newsletter:read"] }] },
    ],
    ["an account without e-mail", { id: "shop", domains, keys, products: ["newsletter"] }],
    ["an account at its ceiling", { id: "shop", domains, keys, atSendingCeiling: true }],
    [
      "a domain that is not verified",
      { id: "shop", domains: [{ name: "shop.example", state: "unverified" }], keys },
    ],
  ])("none is shown for %s", ([, account]) => {
    expect(firstCall(url, { accounts: [account] })).toBe("");
  });

  test("a restricted key sends from its domain", () => {
    const account = {
      id: "shop",
      domains: [{ name: "a.example" }, { name: "b.example" }],
      keys: [{ key: "shop_key_1", domain: "B.example" }],
    };
    expect(firstCall(url, { accounts: [account] })).toContain("hello@b.example");
  });
});

describe("a line for each call", () => {
  const call = {
    at: Date.parse("2026-11-21T10:00:00Z"),
    requestId: "req_1",
    accountId: "bakery",
    method: "GET",
    path: "/api/v1/\u001b[2Jme",
    status: 404,
    errorType: "not_found",
    milliseconds: 1.23456,
  };

  test("for people", () => {
    expect(stripVTControlCharacters(callLine(call, "text"))).toBe(
      "10:00:00 GET /api/v1/?[2Jme 404 not_found 1.2 ms",
    );
  });

  test("for programs", () => {
    expect(JSON.parse(callLine(call, "json"))).toEqual({
      event: "call",
      at: "2026-11-21T10:00:00.000Z",
      request_id: "req_1",
      account: "bakery",
      method: "GET",
      path: "/api/v1/\u001b[2Jme",
      status: 404,
      error_type: "not_found",
      milliseconds: 1.235,
    });
    expect(callLine(call, "json")).not.toContain("\u001b");
  });
});
