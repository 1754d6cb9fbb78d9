import { expect, test } from "vitest";
import { bar } from "../../../sandbox/control/guard.ts";
import { testFront } from "../front-parts.ts";

const barred = (method: string, headers: Record<string, string>, exposed = false): boolean =>
  bar({ method, headers }, exposed) !== undefined;

test.for([
  "127.0.0.1:4020",
  "127.0.0.1",
  "127.1.2.3:80",
  "localhost:4020",
  "LOCALHOST",
  "sandbox.localhost:4020",
  "[::1]:4020",
])("on loopback it goes by the name %s", (host) => {
  expect(barred("GET", { host })).toBe(false);
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
])("on loopback it does not go by the name %j", (host) => {
  expect(barred("GET", { host })).toBe(true);
});

test.for(["192.168.0.7:4020", "sandbox:4020", "[fd00::7]:4020", "sandbox.internal", "pi.local:4020"])(
  "beyond loopback it goes by the name %s too",
  (host) => {
    expect(barred("GET", { host }, true)).toBe(false);
  },
);

test.for(["attacker.example", "192.168.0.7.attacker.example"])(
  "beyond loopback it does not go by %s",
  (host) => {
    expect(barred("GET", { host }, true)).toBe(true);
  },
);

test("a request without a host is not let through", () => {
  expect(barred("GET", {})).toBe(true);
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
  ["another site that hides its origin", { "sec-fetch-site": "cross-site" }, true],
  ["an origin that cannot be read", { origin: "localhost:4020" }, true],
])("a POST from %s", ([, headers, expected]) => {
  expect(barred("POST", { host: "localhost:4020", ...headers })).toBe(expected);
});

test("a page elsewhere can neither read nor reset the sandbox", async () => {
  const { ask } = await testFront();
  expect((await ask("GET", "/", { headers: { host: "attacker.example" } })).status).toBe(403);
  expect((await ask("GET", "/sandbox/outbox", { headers: { host: "attacker.example" } })).status).toBe(403);
  expect(
    (await ask("POST", "/sandbox/reset", { headers: { origin: "https://attacker.example" } })).status,
  ).toBe(403);
  expect((await ask("POST", "/reset", { headers: { origin: "https://attacker.example" } })).status).toBe(403);
});

test("beyond loopback, control calls and pages are off unless asked for; health is not", async () => {
  const off = await testFront({ exposed: true });
  expect((await off.ask("POST", "/sandbox/reset")).status).toBe(403);
  expect((await off.ask("GET", "/")).body).toContain("--control");
  expect((await off.ask("GET", "/health")).status).toBe(200);
  const on = await testFront({ exposed: true, control: true });
  expect((await on.ask("GET", "/")).status).toBe(200);
});
