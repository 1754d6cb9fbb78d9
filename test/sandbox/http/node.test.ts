import { once } from "node:events";
import { request } from "node:http";
import type { Socket } from "node:net";
import { PassThrough } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { methodsByPath } from "../../../generated/operations.ts";
import { listen, reject } from "../../../sandbox/http/node.ts";
import { mail, startRig } from "../rig.ts";
import { bearer, checkRaw, close, exchange, expectUnreadable, head, parse } from "./raw.ts";

describe("targets are taken as they were sent", () => {
  test.each([
    ["/api/v1/../v1/me", 404],
    ["/api/v1/emails/..", 404],
    ["/api/v1/emails/%2e%2e", 404],
    ["/api/v1/emails/%00", 404],
    ["/api/v1/emails/%ff", 404],
    ["/api/v1/newsletter/contacts/%00", 404],
    ["/api/v1/emails/%", 404],
    ["/api/v1/emails/a%2fb", 404],
    ["//api/v1/me", 404],
    ["/api/v1//me", 404],
    ["/api/v1/me/", 404],
    ["/api/v1/m%65", 404],
    ["/API/V1/ME", 404],
    ["/api/v1/me?x=1&%ff", 200],
    ["/api/v1/me#x", 404],
    ["http://elsewhere.example/api/v1/me", 200],
    ["/api/v1/newsletter/contacts/subscribed%2540readers.example", 404],
    ["/api/v1/newsletter/contacts/subscribed@readers.example", 200],
    ["/api/v1/emails/batch", 405],
  ])("%s", async (target, status) => {
    const { sandbox } = await startRig();
    const path = target.replace(/^http:\/\/[^/]+/, "").replace(/\?.*/, "");
    const response = checkRaw("GET", path, await exchange(sandbox.url, head(`GET ${target}`)));
    expect(response?.status).toBe(status);
  });
});

describe("methods", () => {
  test.each(["HEAD", "OPTIONS", "PUT", "TRACE", "PROPFIND", "CONNECT"])(
    "%s is not taken by addresses that read",
    async (method) => {
      const { sandbox } = await startRig();
      const response = checkRaw(
        method,
        "/api/v1/me",
        await exchange(sandbox.url, head(`${method} /api/v1/me`)),
      );
      expect([response?.status, response?.headers.allow]).toEqual([405, "GET"]);
    },
  );

  // Node's parser rejects them before any request: only the first line is known.
  test.each([
    ["NONSENSE", "NONSENSE"],
    ["get", "get"],
    ["PO.ST", "PO.ST"],
    ["one of 5,000 characters", "X".repeat(5000)],
  ])("%s, which Node does not parse, is rejected like any other", async (_name, method) => {
    const { sandbox } = await startRig();
    const me = checkRaw(method, "/api/v1/me", await exchange(sandbox.url, head(`${method} /api/v1/me?x=1`)));
    expect([me?.status, me?.headers.allow, me?.headers.connection]).toEqual([405, "GET", "close"]);
    const emails = await exchange(
      sandbox.url,
      `${method} /api/v1/emails HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}`,
    );
    expect(checkRaw(method, "/api/v1/emails", emails)?.headers.allow).toBe(
      methodsByPath["/api/v1/emails"].join(", "),
    );
    const unknown = await exchange(sandbox.url, head(`${method} /api/v1/nothing`));
    expect(checkRaw(method, "/api/v1/nothing", unknown)?.status).toBe(404);
  });

  test.each([
    ["/api/v1/me", "405 Method Not Allowed", "GET"],
    ["/sandbox/reset", "405 Method Not Allowed", "POST"],
    ["/contacts", "405 Method Not Allowed", "GET"],
    ["/nothing", "404 Not Found", undefined],
  ])("an unknown one on %s gets %s", async (path, status, allow) => {
    const { sandbox } = await startRig();
    const read = await exchange(sandbox.url, head(`NONSENSE ${path}`));
    expect(read.split("\r\n", 1)).toEqual([`HTTP/1.1 ${status}`]);
    expect(parse(read)?.headers.allow).toBe(allow);
  });

  test.each(["NONSENSE", "NONSENSE /api/v1/me", "NON:SENSE /api/v1/me HTTP/1.1", "NONSENSE / HTTP/3.0"])(
    "%j is not the first line of a request",
    async (line) => {
      const { sandbox } = await startRig();
      expectUnreadable(await exchange(sandbox.url, `${line}\r\n\r\n`));
    },
  );

  test.each(["localhost", "127.0.0.1"])(
    "OPTIONS of the server as a whole, called %s, is at no address of the API",
    async (host) => {
      const { sandbox } = await startRig();
      const bytes = `OPTIONS * HTTP/1.1\r\nHost: ${host}\r\n${close}\r\n`;
      const response = checkRaw("OPTIONS", "*", await exchange(sandbox.url, bytes));
      expect([response?.status, JSON.parse(response?.text ?? "").error.type]).toEqual([404, "not_found"]);
    },
  );
});

describe("what is not HTTP", () => {
  test.each([
    ["noise", "\u0000\u0001\u0002\r\n\r\n"],
    ["a name of a megabyte", head("GET /api/v1/me", `${"x".repeat(1024 * 1024)}: 1\r\n`)],
    ["a line break in a header", head("GET /api/v1/me", "X-A: b\nnot a header\r\n")],
    ["two lengths", head("POST /api/v1/emails", "Content-Length: 1\r\nContent-Length: 2\r\n")],
    [
      "a length and chunks",
      head("POST /api/v1/emails", "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n"),
    ],
    ["a target of a megabyte", head(`GET /api/v1/${"x".repeat(1024 * 1024)}`)],
  ])("%s", async (_name, bytes) => {
    const { sandbox, get } = await startRig();
    const read = await exchange(sandbox.url, bytes);
    // A client that writes on while it is rejected may find the connection reset before it reads.
    if (read !== "") expectUnreadable(read);
    expect((await get("/api/v1/me")).status).toBe(200);
  });

  test.each([
    ["target", head(`GET /api/v1/${"x".repeat(20_000)}`)],
    ["header", head("GET /api/v1/me", `X-A: ${"x".repeat(20_000)}\r\n`)],
  ])("a %s that is too large is called that", async (_name, bytes) => {
    const { sandbox } = await startRig();
    const { error } = JSON.parse(parse(await exchange(sandbox.url, bytes))?.text ?? "");
    expect(error.fields.request).toEqual([
      "The request line and the headers must not be larger than 16 KiB together.",
    ]);
  });

  test("a request without a host is handled like any other", async () => {
    const { sandbox } = await startRig();
    const read = await exchange(sandbox.url, `GET /api/v1/me HTTP/1.1\r\n${bearer}${close}\r\n`);
    expect(checkRaw("GET", "/api/v1/me", read)?.status).toBe(200);
  });

  test("a request with an expectation gets its response", async () => {
    const { sandbox } = await startRig();
    const read = await exchange(sandbox.url, head("GET /api/v1/me", "Expect: miracles\r\n"));
    expect(checkRaw("GET", "/api/v1/me", read)?.status).toBe(200);
  });
});

test("a client that ends its side after the request gets the response", async () => {
  const { sandbox } = await startRig();
  const body = JSON.stringify(mail());
  const type = "Content-Type: application/json\r\n";
  const bytes = head("POST /api/v1/emails", `${type}Content-Length: ${body.length}\r\n`) + body;
  for (let sent = 0; sent < 20; sent += 1)
    expect(parse(await exchange(sandbox.url, bytes, false))?.status).toBe(202);
});

test("requests that come in together on one connection get their responses in order", async () => {
  const { sandbox } = await startRig();
  const kept = (line: string) => `${line} HTTP/1.1\r\nHost: localhost\r\n${bearer}\r\n`;
  const body = JSON.stringify(mail());
  const type = "Content-Type: application/json\r\n";
  const post = head("POST /api/v1/emails", `${type}Content-Length: ${body.length}\r\n`) + body;
  const together = kept("GET /api/v1/me") + kept("GET /api/v1/nothing") + post;
  const statuses = [...(await exchange(sandbox.url, together)).matchAll(/HTTP\/1\.1 (\d+)/g)];
  expect(statuses.map(([, status]) => status)).toEqual(["200", "404", "202"]);
});

test("it listens on this machine only", async () => {
  const { sandbox } = await startRig();
  expect(new URL(sandbox.url).hostname).toBe("127.0.0.1");
});

test("a port that is in use is an error, and nothing stays behind", async () => {
  const { sandbox } = await startRig();
  const port = Number(new URL(sandbox.url).port);
  await expect(startRig({ port })).rejects.toMatchObject({ code: "EADDRINUSE" });
});

test("a request that outlives the sandbox is cut off, and harms nobody", async () => {
  const { sandbox } = await startRig();
  const headers = { "content-type": "application/json", "content-length": 100, expect: "100-continue" };
  const late = request(`${sandbox.url}/api/v1/emails`, { method: "POST", headers });
  const cut = once(late, "error");
  // The rest of its body never comes.
  late.flushHeaders();
  await once(late, "continue");
  late.write("{");
  await sandbox.close();
  expect(await cut).toMatchObject([{ code: "ECONNRESET" }]);
});

test.each([
  ["an unknown method", head("NONSENSE /api/v1/me")],
  ["a raw byte above 0x7f", head("GET /workspaces/\xe9")],
  ["noise", "\u0000\u0001\u0002\r\n\r\n"],
  ["a body that cannot be parsed", `${head("POST /api/v1/emails", "Transfer-Encoding: chunked\r\n")}zz\r\n`],
])("%s after a request on the same connection gets a response of its own, in order", async (_, bytes) => {
  const { sandbox } = await startRig();
  const first = `GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\n${bearer}\r\n`;
  const read = await exchange(sandbox.url, Buffer.from(first + bytes, "latin1"));
  expect(checkRaw("GET", "/api/v1/me", read)?.status).toBe(200);
  expectUnreadable(read.slice(read.lastIndexOf("HTTP/1.1")));
});

test("however often the parser of a connection fails, there is one response", async () => {
  const socket = new PassThrough();
  const respond = vi.fn(async () => ({ status: 422, headers: {}, body: "" }));
  for (let error = 0; error < 3; error += 1) reject(socket as unknown as Socket, respond);
  await once(socket, "close");
  expect(respond).toHaveBeenCalledOnce();
});

test("a body that is omitted and cannot be parsed has one response, that to its request", async () => {
  const response = (status: number, delay: number) => wait(delay, { status, headers: {}, body: "" });
  const server = await listen({
    ...{ port: 0, host: "127.0.0.1", requestTimeout: 60_000 },
    bodyLimit: () => 0,
    handle: () => response(401, 20),
    unreadable: () => response(422, 40),
  });
  onTestFinished(() => server.close());
  const bytes = "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n";
  const read = await exchange(server.url, bytes);
  expect(read.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 401"]);
});
