import { expect, test } from "vitest";
import { crossSiteError, requestError } from "../../../sandbox/control/control.ts";
import { openTestSite } from "./test-site.ts";

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

test("a page elsewhere cannot reset the sandbox", async () => {
  const { request } = await openTestSite();
  const headers = { origin: "https://attacker.example" };
  expect((await request("POST", "/sandbox/reset", { headers })).status).toBe(403);
  expect((await request("POST", "/reset", { headers })).status).toBe(403);
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
