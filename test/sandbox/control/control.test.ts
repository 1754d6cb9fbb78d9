import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { controlOperations, crossSiteError, requestError } from "../../../sandbox/control/control.ts";
import { loadSeed } from "../../../sandbox/seed/load.ts";
import type { Seed } from "../../../sandbox/seed/seed.ts";
import { root } from "../../../scripts/common/paths.ts";
import { openTestSite, put, startedAt, type TestSite } from "./test-site.ts";

let site: TestSite;
beforeEach(async () => {
  site = await openTestSite();
});

describe("the table of operations", () => {
  test("GET /sandbox/ lists every operation", async () => {
    const { body } = await site.json("GET", "/sandbox/");
    expect(body.operations.map(({ path }: { path: string }) => path)).toEqual(
      controlOperations.map(({ path }) => path),
    );
    expect((await site.json("GET", "/sandbox")).body).toEqual(body);
  });

  test("every example is accepted", async () => {
    for (const { method, path, example } of controlOperations.filter((one) => one.example !== undefined)) {
      const { status } = await site.json(method, path, example);
      expect(status, `${method} ${path}`).toBe(200);
    }
  });

  test("/health reports that the sandbox responds", async () => {
    expect(await site.json("GET", "/health")).toEqual({ status: 200, body: { status: "ok" } });
  });
});

test("/health rejects another method with what it accepts", async () => {
  const response = await site.request("POST", "/health");
  expect([response.status, response.headers.allow]).toEqual([405, "GET, HEAD"]);
});

test("the example for a body that is not JSON is that of the operation", async () => {
  const { body } = await site.json("POST", "/sandbox/confirm", []);
  expect(body.error.hint).toMatch(/^Example: POST \/sandbox\/confirm \{"email"/);
});

test.for<[string, string, unknown, string]>([
  ["POST", "/sandbox/suppress", { mail: "a" }, "POST /sandbox/suppress takes `email`, `reason`, `account`."],
  ["GET", "/sandbox/suppressions?who=ada", undefined, "GET /sandbox/suppressions takes `account`."],
  ["DELETE", "/sandbox/failures", { id: "1" }, "DELETE /sandbox/failures takes no property."],
])("the hint for an unknown name names the known ones: %s %s", async ([method, target, body, hint]) => {
  const response = await site.json(method, target, body);
  expect(response).toMatchObject({ status: 422, body: { error: { hint } } });
});

const rejected = parse(readFileSync(join(import.meta.dirname, "rejected.yaml"), "utf8")) as Record<
  string,
  { body?: unknown; status?: number; says: string }[]
>;

describe("error responses have one shape, with a hint", () => {
  test.for(
    Object.entries(rejected).flatMap(([request, cases]) => cases.map((one) => [request, one] as const)),
  )("%s %j", async ([request, { body, status = 422, says }]) => {
    const [method = "", target = ""] = request.split(" ");
    const response = await site.request(
      method,
      target,
      body === undefined ? {} : { body: JSON.stringify(body) },
    );
    expect(response.status).toBe(status);
    expect(response.headers.allow !== undefined).toBe(status === 405);
    expect(JSON.parse(String(response.body))).toEqual({
      error: { message: expect.stringContaining(says), hint: expect.stringMatching(/./) },
    });
  });

  test.each([
    ["JSON", "\xff{"],
    ["UTF-8", '{"email": "ada@customers.example", "reason": "\xff"}'],
  ])("a body that is not %s is rejected", async (_, body) => {
    const response = await site.request("POST", "/sandbox/suppress", { body: Buffer.from(body, "latin1") });
    expect(response.status).toBe(422);
  });
});

describe("clock", () => {
  test("it advances by a duration, by milliseconds, and to a time", async () => {
    expect((await site.json("POST", "/sandbox/clock", { advance: "P1DT1H" })).body.now).toBe(
      "2026-11-22T11:00:00.000Z",
    );
    expect((await site.json("POST", "/sandbox/clock", { advance: 1500 })).body.now).toBe(
      "2026-11-22T11:00:01.500Z",
    );
    const to = "2026-12-01T12:00:00+02:00";
    expect((await site.json("POST", "/sandbox/clock", { to })).body.now).toBe("2026-12-01T10:00:00.000Z");
  });

  test("it returns when the next message is due", async () => {
    const ofTheSeed = "2026-12-12T10:00:00.000Z";
    expect((await site.json("GET", "/sandbox/clock")).body.next_due_at).toBe(ofTheSeed);
    await put(site.store, { status: "scheduled", sentAt: null, dueAt: startedAt + 60_000 });
    expect((await site.json("GET", "/sandbox/clock")).body).toEqual({
      now: "2026-11-21T10:00:00.000Z",
      next_due_at: "2026-11-21T10:01:00.000Z",
    });
  });
});

describe("contacts and suppressions", () => {
  test("a pending membership is confirmed once", async () => {
    const confirmation = { email: "Pending@readers.example", list_id: 1 };
    expect(await site.json("POST", "/sandbox/confirm", confirmation)).toMatchObject({
      status: 200,
      body: {
        email: "pending@readers.example",
        status: "subscribed",
        subscribed_at: "2026-11-21T10:00:00.000Z",
      },
    });
    expect((await site.json("POST", "/sandbox/confirm", confirmation)).status).toBe(409);
  });

  test("an email address is suppressed, and the suppression removed", async () => {
    await site.json("POST", "/sandbox/suppress", {
      email: "Ada@readers.example",
      account: "florist",
      reason: "left",
    });
    const listed = await site.json("GET", "/sandbox/suppressions?account=florist");
    expect(listed.body.suppressions).toEqual([
      { email: "ada@readers.example", reason: "left", at: "2026-11-21T10:00:00.000Z" },
    ]);
    await site.json("POST", "/sandbox/unsuppress", { email: "ada@readers.example", account: "florist" });
    expect((await site.json("GET", "/sandbox/suppressions?account=florist")).body.suppressions).toEqual([]);
  });
});

const isRejected = (method: string, headers: Record<string, string>): boolean =>
  crossSiteError({ method, headers }) !== undefined;

test.for<[string, Record<string, string>, boolean]>([
  ["curl", {}, false],
  ["its own page", { origin: "http://localhost:4020", "sec-fetch-site": "same-origin" }, false],
  ["a page of another site", { origin: "https://attacker.example", "sec-fetch-site": "cross-site" }, true],
  [
    "a page at another port of this machine",
    { origin: "http://localhost:8080", "sec-fetch-site": "same-site" },
    true,
  ],
  ["a sandboxed frame", { origin: "null" }, true],
  ["another site that sends no origin", { "sec-fetch-site": "cross-site" }, true],
  ["an invalid origin", { origin: "localhost:4020" }, true],
])("a POST from %s", ([, headers, expected]) => {
  expect(isRejected("POST", { host: "localhost:4020", ...headers })).toBe(expected);
});

test("beyond loopback, the control API and the pages need --control; /health does not", async () => {
  const off = await openTestSite({ exposed: true });
  expect((await off.request("POST", "/sandbox/reset")).status).toBe(403);
  expect((await off.request("GET", "/")).body).toContain("--control");
  expect((await off.request("GET", "/health")).status).toBe(200);
  const on = await openTestSite({ exposed: true, control: true });
  expect((await on.request("GET", "/")).status).toBe(200);
});

test("who may not use the pages does not learn that the store has failed", async () => {
  const { request, store } = await openTestSite({ exposed: true });
  store.readSettings = () => Promise.reject(new Error("the disk is full"));
  for (const path of ["/", "/sandbox/outbox"]) expect((await request("GET", path)).status).toBe(403);
});

test("a request whose body there is no room for is told when to retry; one that is too large is not", () => {
  const responseTo = (bodyOmitted: "no room" | "too large") =>
    requestError(
      { exposed: false, control: false },
      { method: "POST", target: "/sandbox/failures", headers: {}, body: null, bodyOmitted },
    );
  expect(responseTo("no room")).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
  expect(responseTo("too large")).toMatchObject({ status: 413 });
  expect(responseTo("too large")?.headers).not.toHaveProperty("retry-after");
});

const guide = readFileSync(join(root, "docs/sandbox.md"), "utf8");

test("the guide lists every operation of the control API as GET /sandbox/ does", () => {
  const rows = controlOperations.map(
    ({ method, path, summary, fields = {}, example }) =>
      `| \`${method} ${path}\` | ${[
        summary,
        ...Object.entries(fields).map(([name, { description }]) => `\`${name}\`: ${description}.`),
      ].join("<br>")} | ${example === undefined ? "" : `\`${JSON.stringify(example)}\``} |`,
  );
  expect(guide).toContain(
    ["| Operation | What it does | Example body |", "| --- | --- | --- |", ...rows].join("\n"),
  );
});

test("the guide names every demo account", async () => {
  for (const { id } of (await loadSeed()).accounts) expect(guide).toContain(`| \`${id}\` |`);
});

test("the seed of the guide is valid", async () => {
  const seed: Seed = parse(/```yaml\n([\s\S]+?)```/.exec(guide)?.[1] ?? "");
  expect(await loadSeed(seed)).toHaveProperty("accounts.0.id", "shop");
});
