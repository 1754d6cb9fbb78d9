import { beforeEach, describe, expect, test } from "vitest";
import {
  createFailures,
  type FailureEntry,
  type FailureRequest,
  takeFailure,
} from "../../../sandbox/api/simulated-failure.ts";
import { MemoryStore } from "../../../sandbox/store/memory.ts";
import { openTestSite, post, type TestSite } from "../control/test-site.ts";
import { keys, startRig } from "../rig.ts";

const unavailable = { kind: "status", status: 503, body: true } as const;
const cut = { kind: "cut" } as const;

const added = (...entries: Partial<FailureEntry>[]): readonly FailureEntry[] =>
  entries.map((entry, index) => ({
    id: `failure_${index + 1}`,
    failure: unavailable,
    requests: 1,
    ...entry,
  }));

const request = (
  method = "POST",
  path = "/api/v1/emails",
  key = { id: "bakery.key-1", label: "all abilities" },
): FailureRequest => ({ operation: { method, path }, key });

/** The kinds of failure that requests get, one after the other; null for none. */
function taken(list: readonly FailureEntry[], ...requests: FailureRequest[]) {
  let current = list;
  const kinds = requests.map((one) => {
    const { list: next, failure } = takeFailure(current, one);
    // What several instances share is stored as JSON.
    current = JSON.parse(JSON.stringify(next));
    return failure?.kind ?? null;
  });
  return { kinds, list: current };
}

const times = (count: number, one = request()): FailureRequest[] => Array.from({ length: count }, () => one);

describe("how many requests fail", () => {
  test("as many as given; then the entry is gone", () => {
    const { kinds, list } = taken(added({ requests: 2 }), ...times(3));
    expect(kinds).toEqual(["status", "status", null]);
    expect(list).toEqual([]);
    expect(taken(added({ requests: 5 }), ...times(2)).list).toMatchObject([{ requests: 3, hits: 2 }]);
  });

  test("null: all, until the entry is removed; none: it is not added", async () => {
    const { kinds, list } = taken(added({ requests: null }), ...times(50));
    expect(new Set(kinds)).toEqual(new Set(["status"]));
    expect(list).toMatchObject([{ requests: null, hits: 50 }]);
    const failures = createFailures(new MemoryStore());
    await failures.add(cut, 0);
    expect(failures.pending()).toEqual([]);
  });
});

describe("which requests fail", () => {
  test.for<[string, FailureEntry["match"], FailureRequest, boolean]>([
    ["any request, without a condition", undefined, request(), true],
    ["a method", { method: "POST" }, request("POST"), true],
    ["another method", { method: "POST" }, request("GET"), false],
    ["a path template", { path: "/api/v1/emails/{id}" }, request("GET", "/api/v1/emails/{id}"), true],
    ["a longer path", { path: "/api/v1/emails" }, request("GET", "/api/v1/emails/{id}"), false],
    ["a prefix", { path: "/api/v1/emails*" }, request("GET", "/api/v1/emails/{id}"), true],
    ["a prefix itself", { path: "/api/v1/emails*" }, request(), true],
    ["another prefix", { path: "/api/v1/newsletter/*" }, request(), false],
    ["a key by its id", { key: "bakery.key-1" }, request(), true],
    ["a key by its label", { key: "all abilities" }, request(), true],
    ["another key", { key: "florist.key-1" }, request(), false],
    ["all conditions", { method: "POST", path: "/api/*", key: "all abilities" }, request(), true],
    ["all conditions but one", { method: "POST", path: "/api/*", key: "read only" }, request(), false],
  ])("%s", ([, match, one, fails]) => {
    const list = added(match === undefined ? {} : { match });
    expect(takeFailure(list, one).failure !== undefined).toBe(fails);
  });

  test("a request that no entry matches leaves the list as it is: nothing has to be stored", () => {
    const list = added({ match: { method: "GET" } }, { match: { key: "none", share: 0.5 } });
    expect(takeFailure(list, request()).list).toBe(list);
  });

  test("the oldest entry that matches is taken, one per request", () => {
    const list = added({ match: { method: "GET" } }, { failure: cut }, { requests: 9 });
    expect(taken(list, ...times(2), request("GET"), request()).kinds).toEqual([
      "cut",
      "status",
      "status",
      "status",
    ]);
  });

  test("one list is never changed in place", () => {
    const list = added({ requests: 2, match: { share: 0.5 } });
    const before = structuredClone(list);
    taken(list, ...times(5));
    expect(list).toEqual(before);
  });
});

describe("a share of the matching requests", () => {
  test.for([0.1, 0.3, 1 / 3, 0.7, 0.99, 1])("%d of 1,000 requests", (share) => {
    const { list } = taken(added({ requests: null, match: { share } }), ...times(1000));
    expect(list[0]?.hits).toBe(Math.floor(1000 * share + 1e-9));
  });

  test("requests that do not match do not count", () => {
    const list = added({ requests: null, match: { share: 0.5, method: "GET" } });
    const pair = [request("POST"), request("GET")];
    expect(taken(list, ...pair, ...pair).kinds).toEqual([null, null, null, "status"]);
  });

  test("a request that is not in the share of one entry can fail by the next", () => {
    const list = added({ requests: null, match: { share: 0.5 } }, { requests: null, failure: cut });
    expect(taken(list, ...times(4)).kinds).toEqual(["cut", "status", "cut", "status"]);
  });

  test("the number of requests limits those that fail, not those that match", () => {
    const { kinds, list } = taken(added({ requests: 2, match: { share: 0.5 } }), ...times(6));
    expect(kinds.filter((kind) => kind !== null)).toHaveLength(2);
    expect(list).toEqual([]);
  });
});

test("end releases all delayed requests, those to come included", async () => {
  const failures = createFailures(new MemoryStore());
  const held = Array.from({ length: 20 }, () => failures.hold(600_000));
  failures.end();
  await Promise.all([...held, failures.hold(600_000)]);
});

let site: TestSite;
beforeEach(async () => {
  site = await openTestSite();
});

describe("failures", () => {
  const next = () => site.failures.next(post);

  test.for<[object, object]>([
    [{ failure: "500" }, { kind: "status", status: 500, body: true }],
    [{ failure: "500-empty" }, { kind: "status", status: 500, body: false }],
    [{ failure: 502 }, { kind: "status", status: 502, body: true }],
    [{ failure: "503" }, { kind: "status", status: 503, body: true }],
    [{ failure: "429" }, { kind: "rate limit", retryAfter: 1 }],
    [
      { failure: "429", retry_after: 30 },
      { kind: "rate limit", retryAfter: 30 },
    ],
    [
      { failure: "delay", delay: "PT2S" },
      { kind: "delay", milliseconds: 2000 },
    ],
    [
      { failure: "delay", delay: 20 },
      { kind: "delay", milliseconds: 20 },
    ],
    [{ failure: "cut" }, { kind: "cut" }],
  ])("%j", async ([given, failure]) => {
    const { body } = await site.json("POST", "/sandbox/failures", { ...given, requests: 2 });
    expect(body.failures).toEqual([
      expect.objectContaining({ failure: String(Object(given).failure), requests: 2, failed: 0 }),
    ]);
    const taken = await Promise.all([next(), next(), next()]);
    expect(taken).toEqual([failure, failure, undefined]);
  });

  test("of 101 failures added at the same time, 100 are accepted", async () => {
    const added = Array.from({ length: 101 }, () =>
      site.json("POST", "/sandbox/failures", { failure: "500" }),
    );
    const statuses = (await Promise.all(added)).map(({ status }) => status);
    expect(Object.groupBy(statuses, String)).toMatchObject({ 200: { length: 100 }, 409: { length: 1 } });
  });

  test("the list has the conditions of each failure, and how many requests have failed", async () => {
    const conditions = { method: "POST", path: "/api/v1/emails*", key: "all abilities", share: 0.5 };
    const given = { failure: "429", retry_after: 7, requests: "all", ...conditions };
    const { id } = (await site.json("POST", "/sandbox/failures", given)).body;
    expect([await next(), await next()]).toEqual([undefined, { kind: "rate limit", retryAfter: 7 }]);
    expect((await site.json("GET", "/sandbox/failures")).body).toEqual({
      failures: [{ id, ...given, failed: 1 }],
    });
  });

  test("a key itself is accepted, but neither stored nor returned", async () => {
    const { body } = await site.json("POST", "/sandbox/failures", {
      failure: "503",
      key: "sandbox_all_2f7c",
    });
    expect(body.failures).toMatchObject([{ key: "all" }]);
    expect(JSON.stringify(body)).not.toContain("sandbox_all_2f7c");
    expect(await next()).toMatchObject({ status: 503 });
  });

  test("an unknown key is not repeated in the error", async () => {
    const { body } = await site.json("POST", "/sandbox/failures", { failure: "503", key: "secret_7f" });
    expect(JSON.stringify(body)).not.toContain("secret_7f");
  });

  test("one failure is ended by its id", async () => {
    const { id } = (await site.json("POST", "/sandbox/failures", { failure: "cut", requests: "all" })).body;
    await site.json("POST", "/sandbox/failures", { failure: "503" });
    expect((await site.json("DELETE", `/sandbox/failures/${id}`)).body.failures).toMatchObject([
      { failure: "503" },
    ]);
    expect((await site.json("DELETE", `/sandbox/failures/${id}`)).status).toBe(404);
  });

  test("all failures are ended", async () => {
    await site.json("POST", "/sandbox/failures", { failure: "cut", requests: 5 });
    expect((await site.json("DELETE", "/sandbox/failures")).body).toEqual({ failures: [] });
    expect(await next()).toBeUndefined();
  });
});

test("a failure says that it is simulated, and affects neither other keys nor the control API and the pages", async () => {
  const { sandbox, get } = await startRig();
  const given = { failure: "429", retry_after: 30, requests: "all", path: "/api/v1/me", key: keys.second };
  await sandbox.fetch("/sandbox/failures", { method: "POST", body: JSON.stringify(given) });
  const failed = await get("/api/v1/me", { key: keys.second });
  expect([failed.status, failed.headers["retry-after"]]).toEqual([429, "30"]);
  expect(failed.body.error.message).toContain("simulated");
  for (const path of ["/api/v1/me", "/sandbox/clock", "/"]) {
    const headers = { authorization: `Bearer ${keys.all}` };
    expect((await fetch(sandbox.url + path, { headers })).status, path).toBe(200);
  }
});
