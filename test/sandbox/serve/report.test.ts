import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { UserError } from "../../../lib/user-error.ts";
import { StoreUnavailableError } from "../../../sandbox/domain/store.ts";
import { loadSeed } from "../../../sandbox/seed/load.ts";
import { firstRequest, type Seed } from "../../../sandbox/seed/seed.ts";
import {
  banner,
  createErrorLog,
  jsonLine,
  type LoggedError,
  textLine,
} from "../../../sandbox/serve/report.ts";

const url = "http://127.0.0.1:4020";
const started = { url, data: null, smtp: null, clock: { now: Date.now, frozen: false } };
const bannerOf = (seed: Seed): string => stripVTControlCharacters(banner(started, seed, true));

describe("the banner", () => {
  test("lists every key, domain and list of the seed, within 80 columns", async () => {
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

  test("stays aligned with long keys and names", () => {
    const key = `shop_${"x".repeat(60)}`;
    const text = bannerOf({ accounts: [{ id: "shop", keys: [{ key, label: "y".repeat(200) }] }] });
    expect(text).toContain(`  ${key}\n`);
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  test("says how to enable the pages and the control API", () => {
    const text = banner(started, { accounts: [{ id: "shop", keys: [] }] }, false);
    expect(text).toContain("--control");
    expect(text).not.toContain("/sandbox/");
  });

  test("shows a clock that differs from the real time", () => {
    const clock = { now: () => Date.parse("2027-01-31T09:00:00Z"), frozen: true };
    const text = banner({ ...started, clock }, { accounts: [{ id: "shop", keys: [] }] }, true);
    expect(text).toContain("frozen at 2027-01-31T09:00:00.000Z");
  });
});

describe("the first request", () => {
  const domains = [{ name: "shop.example" }];
  const keys = [{ key: "shop_key_1" }];

  test.for<[string, Seed["accounts"][number]]>([
    ["a revoked key", { id: "shop", domains, keys: [{ key: "shop_key_1", revoked: true }] }],
    [
      "a key that cannot send",
      { id: "shop", domains, keys: [{ key: "shop_key_1", abilities: ["newsletter:read"] }] },
    ],
    ["an account without email", { id: "shop", domains, keys, products: ["newsletter"] }],
    ["an account at its ceiling", { id: "shop", domains, keys, atSendingCeiling: true }],
    [
      "a domain that is not verified",
      { id: "shop", domains: [{ name: "shop.example", state: "unverified" }], keys },
    ],
  ])("is not shown for %s", ([, account]) => {
    expect(firstRequest(url, { accounts: [account] })).toBe("");
  });

  test("uses the domain of a restricted key", () => {
    const account = {
      id: "shop",
      domains: [{ name: "a.example" }, { name: "b.example" }],
      keys: [{ key: "shop_key_1", domain: "B.example" }],
    };
    expect(firstRequest(url, { accounts: [account] })).toContain("hello@b.example");
  });
});

describe("the request log", () => {
  const request = {
    time: Date.parse("2026-11-21T10:00:00Z"),
    at: Date.parse("2027-01-31T09:00:00Z"),
    requestId: "req_1",
    accountId: "bakery",
    method: "GET",
    path: "/api/v1/\u001b[2Jme",
    status: 404,
    errorType: "not_found",
    milliseconds: 1.23456,
  };

  test("as text", () => {
    expect(stripVTControlCharacters(textLine(request))).toBe(
      "10:00:00 GET /api/v1/?[2Jme 404 not_found 1.2 ms",
    );
  });

  test("as text, with the URL of the error on the reference site", () => {
    const line = textLine(request, "https://docs.test/");
    expect(stripVTControlCharacters(line)).toMatch(/ 1\.2 ms https:\/\/docs\.test\/errors\/#404-not_found$/);
  });

  test("as JSON", () => {
    expect(JSON.parse(jsonLine(request))).toEqual({
      time: "2026-11-21T10:00:00.000Z",
      event: "request",
      at: "2027-01-31T09:00:00.000Z",
      request_id: "req_1",
      account: "bakery",
      method: "GET",
      path: "/api/v1/\u001b[2Jme",
      status: 404,
      error_type: "not_found",
      milliseconds: 1.235,
    });
    expect(jsonLine(request)).not.toContain("\u001b");
  });
});

/** A log, and a clock for it in milliseconds. */
function logged() {
  const lines: LoggedError[] = [];
  const clock = { now: 0 };
  const log = createErrorLog(
    (error) => lines.push(error),
    () => clock.now,
  );
  return { lines, clock, log };
}

const full = () => new StoreUnavailableError("database or disk is full");

test("failures of the store are one line a minute, however many requests fail and whatever each of them meets", () => {
  const { lines, clock, log } = logged();
  for (clock.now = 0; clock.now < 120_000; clock.now += 1_000) {
    log(full());
    log(new StoreUnavailableError("connect ECONNREFUSED 127.0.0.1:5432"));
  }
  expect(lines).toHaveLength(2);
  expect(lines[0]).toEqual({
    message: "the store failed: database or disk is full; requests that need it get 503",
  });
});

test("another failure is logged at once", () => {
  const { lines, log } = logged();
  log(full());
  log(new Error("disk I/O error"));
  expect(lines[1]?.message).toContain("disk I/O error");
});

test("what the user can act on has no stack, a mistake of the sandbox has one", () => {
  const { lines, log } = logged();
  log(new UserError("the file is damaged"));
  log(new TypeError("x is not a function"));
  log("text");
  expect(lines[0]).toEqual({ message: "the file is damaged" });
  expect(lines[1]).toMatchObject({
    message: "x is not a function",
    stack: expect.stringContaining("    at "),
  });
  expect(lines[2]).toEqual({ message: "text" });
});
