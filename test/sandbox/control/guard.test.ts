import { expect, test } from "vitest";
import { crossSiteError } from "../../../sandbox/control/guard.ts";
import { openTestSite } from "./test-site.ts";

const isRejected = (method: string, headers: Record<string, string>, exposed = false): boolean =>
  crossSiteError({ method, headers }, exposed) !== undefined;

test.for([
  "127.0.0.1:4020",
  "127.0.0.1",
  "127.1.2.3:80",
  "localhost:4020",
  "LOCALHOST",
  "sandbox.localhost:4020",
  "[::1]:4020",
])("on loopback the host %s is accepted", (host) => {
  expect(isRejected("GET", { host })).toBe(false);
});

test.for([
  "attacker.example",
  "attacker.example:4020",
  "127.0.0.1.attacker.example",
  "localhost.attacker.example",
  "localhost@attacker.example",
  "192.168.0.7:4020",
  "sandbox:4020",
  "[::1",
  "",
])("on loopback the host %j is rejected", (host) => {
  expect(isRejected("GET", { host })).toBe(true);
});

test.for(["192.168.0.7:4020", "sandbox:4020", "[fd00::7]:4020", "sandbox.internal", "pi.local:4020"])(
  "beyond loopback the host %s is accepted too",
  (host) => {
    expect(isRejected("GET", { host }, true)).toBe(false);
  },
);

test.for(["attacker.example", "192.168.0.7.attacker.example"])(
  "beyond loopback the host %s is rejected",
  (host) => {
    expect(isRejected("GET", { host }, true)).toBe(true);
  },
);

test("a request without a Host header is rejected", () => {
  expect(isRejected("GET", {})).toBe(true);
});

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

test("a page elsewhere can neither read nor reset the sandbox", async () => {
  const { request } = await openTestSite();
  expect((await request("GET", "/", { headers: { host: "attacker.example" } })).status).toBe(403);
  expect((await request("GET", "/sandbox/outbox", { headers: { host: "attacker.example" } })).status).toBe(
    403,
  );
  expect(
    (await request("POST", "/sandbox/reset", { headers: { origin: "https://attacker.example" } })).status,
  ).toBe(403);
  expect((await request("POST", "/reset", { headers: { origin: "https://attacker.example" } })).status).toBe(
    403,
  );
});

test("beyond loopback, the control API and the pages need --control; /health does not", async () => {
  const off = await openTestSite({ exposed: true });
  expect((await off.request("POST", "/sandbox/reset")).status).toBe(403);
  expect((await off.request("GET", "/")).body).toContain("--control");
  expect((await off.request("GET", "/health")).status).toBe(200);
  const on = await openTestSite({ exposed: true, control: true });
  expect((await on.request("GET", "/")).status).toBe(200);
});
