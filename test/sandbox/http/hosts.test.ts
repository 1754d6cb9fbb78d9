import { describe, expect, test } from "vitest";
import { UserError } from "../../../lib/user-error.ts";
import { createHostCheck } from "../../../sandbox/http/hosts.ts";
import { startSandbox } from "../../../sandbox/index.ts";
import { keys, startRig } from "../rig.ts";
import { checkRaw, exchange, parse } from "./raw.ts";

const onLoopback = createHostCheck("127.0.0.1");
const onNetwork = createHostCheck("0.0.0.0");

test.for([
  ..."127.0.0.1:4020 127.0.0.1 127.1.2.3:80 localhost:4020 LOCALHOST sandbox.localhost:4020 [::1]:4020".split(
    " ",
  ),
  // No web site can have an IP address as its name.
  "192.168.0.7:4020",
  "[fd00::7]:4020",
  undefined,
])("the host %s is accepted on loopback and on a network", (host) => {
  expect([onLoopback(host), onNetwork(host)]).toEqual([true, true]);
});

test.for([
  ..."attacker.example attacker.example:4020 127.0.0.1.attacker.example localhost.attacker.example".split(
    " ",
  ),
  ..."localhost@attacker.example attacker.example:80@.localhost attacker.example:80.localhost".split(" "),
  ...["/", "?", "#", "\\"].map((character) => `attacker.example${character}.localhost`),
  ..."http://localhost localhost:4020:4020 localhost:evil [::1 [attacker.example] ::1".split(" "),
  "attacker.example, localhost",
  "attacker.example localhost",
  "",
])("the host %j is rejected on loopback and on a network", (host) => {
  expect([onLoopback(host), onNetwork(host)]).toEqual([false, false]);
});

test.for(["sandbox:4020", "sandbox.internal", "pi.local:4020", "pi.home.arpa"])(
  "the name %s of a private network is accepted there only",
  (host) => {
    expect([onLoopback(host), onNetwork(host)]).toEqual([false, true]);
  },
);

test("the name that it listens on and those of the option are accepted, without their subdomains", () => {
  const check = createHostCheck("mail.shop.example", ["Sandbox.Shop.example"]);
  expect(["mail.shop.example:4020", "sandbox.shop.example", "SANDBOX.shop.example:1"].map(check)).toEqual(
    Array(3).fill(true),
  );
  expect(["shop.example", "a.sandbox.shop.example"].map(check)).toEqual([false, false]);
});

test.for(["http://sandbox", "sandbox:4020", "*.shop.example", ""])("the option rejects %j", async (name) => {
  const error = await startSandbox({ allowHosts: [name] }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UserError);
  expect((error as UserError).message).toBe(`"${name}" is not a host name`);
  expect((error as UserError).hint).toContain("--allow-host");
});

describe("through a socket", () => {
  const send = async (url: string, method: string, path: string, host: string) => {
    const head = `Host: ${host}\r\nAuthorization: Bearer ${keys.all}\r\nConnection: close\r\n`;
    return exchange(url, `${method} ${path} HTTP/1.1\r\n${head}Content-Length: 0\r\n\r\n`);
  };

  test.for([
    ["GET", "/api/v1/newsletter/lists"],
    ["POST", "/api/v1/emails"],
  ] as const)("%s %s for another host is rejected in the error shape", async ([method, path]) => {
    const { sandbox } = await startRig();
    const response = checkRaw(method, path, await send(sandbox.url, method, path, "attacker.example"));
    expect(response?.status).toBe(403);
    const { error } = JSON.parse(response?.text ?? "");
    expect(error).toMatchObject({
      type: "forbidden",
      request_id: response?.headers["x-service-request-id"],
    });
    expect(error.message).toContain('"attacker.example"');
    expect(error.message).toContain("--allow-host");
    expect(error.message).toContain("allowHosts");
  });

  test("a page of another site can neither read nor reset the sandbox; it can see that it runs", async () => {
    const { sandbox } = await startRig();
    const status = async (method: string, path: string) =>
      parse(await send(sandbox.url, method, path, "attacker.example/.localhost"))?.status;
    for (const path of ["/", "/sandbox/outbox", "/nothing"]) expect(await status("GET", path)).toBe(403);
    for (const path of ["/sandbox/reset", "/reset"]) expect(await status("POST", path)).toBe(403);
    for (const path of ["/health", "/health?"]) expect(await status("GET", path)).toBe(200);
  });

  test("a name of the option reaches the API, the pages and the control API", async () => {
    const { sandbox } = await startRig({ allowHosts: ["sandbox.shop.example"] });
    for (const path of ["/api/v1/me", "/", "/sandbox/clock"]) {
      const read = await send(sandbox.url, "GET", path, "sandbox.shop.example:4020");
      expect(parse(read)?.status).toBe(200);
    }
  });

  test("a large body for another host is not read", async () => {
    const { sandbox } = await startRig();
    const head = `Host: attacker.example\r\nAuthorization: Bearer ${keys.all}\r\nContent-Length: 50000000\r\n`;
    const read = await exchange(
      sandbox.url,
      `POST /api/v1/emails HTTP/1.1\r\n${head}Expect: 100-continue\r\nConnection: close\r\n\r\n`,
      false,
    );
    expect(read).toMatch(/^HTTP\/1.1 403 /);
  });
});

test("in process there is no network: any host is accepted", async () => {
  const { sandbox } = await startRig();
  const headers = { authorization: `Bearer ${keys.all}` };
  expect((await sandbox.fetch("https://api.service.example/api/v1/me", { headers })).status).toBe(200);
});
