import { beforeEach, describe, expect, test } from "vitest";
import { openTestSite, post, type TestSite } from "./test-site.ts";

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

  test("the number of failures is limited", async () => {
    for (let index = 0; index < 100; index += 1) await site.failures.add({ kind: "cut" });
    expect((await site.json("POST", "/sandbox/failures", { failure: "cut" })).status).toBe(409);
  });
});
