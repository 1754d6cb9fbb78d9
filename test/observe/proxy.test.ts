import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ObservingProxy, startProxy } from "../../scripts/observe/proxy.ts";
import type { TrafficExchange } from "../../scripts/observe/traffic.ts";
import { mostAtOnce } from "./proxied.ts";

let server: Server;
let proxy: ObservingProxy;
let seen: { request: IncomingMessage; body: Buffer }[];
let exchanges: TrafficExchange[];
let problems: unknown[];
let waiting: (() => void)[];
const encoders = new Map<string, (text: string) => Buffer>([
  ["gzip", (text) => gzipSync(text)],
  ["deflate", (text) => deflateSync(text)],
  ["br", (text) => brotliCompressSync(text)],
  ["zstd", (text) => zstdCompressSync(text)],
]);
const large = Buffer.alloc(3 * 1024 * 1024, "a");

beforeEach(async () => {
  seen = [];
  exchanges = [];
  problems = [];
  waiting = [];
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    seen.push({ request, body: Buffer.concat(chunks) });
    if (request.url === "/base/silent") return;
    if (request.url === "/base/large") response.end(large);
    else if (request.url === "/base/cut") response.destroy();
    else if (request.url?.startsWith("/base/together/") === true)
      respondTogether(() => response.end(`{"received":${chunks.join("")}}`));
    else if (request.url?.startsWith("/base/encoded/") === true) {
      const encoding = request.url.slice("/base/encoded/".length);
      const encode = encoders.get(encoding.toLowerCase()) ?? Buffer.from;
      response.writeHead(200, { "content-encoding": encoding }).end(encode('{"a":1}'));
    } else
      response
        .writeHead(201, { connection: "x-hop", "x-hop": "1", "x-kept": "1", "X-Own": ["1", "2"] })
        .end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`;
  proxy = await startProxy({
    upstream,
    port: 0,
    host: "127.0.0.1",
    onExchange: (one) => exchanges.push(one),
    onProblem: (error) => problems.push(error),
  });
});

afterEach(async () => {
  await proxy.close();
  server.closeAllConnections();
  server.close();
});

const connections = Array.from({ length: 50 }, (_, index) => index);

/** Responds once a request of each connection waits, to the last one first. */
function respondTogether(respond: () => void): void {
  waiting.push(respond);
  if (waiting.length < connections.length) return;
  for (const one of waiting.splice(0).reverse()) one();
}

describe("the proxy", () => {
  it("passes a request on below the path of the upstream URL, and the response back", async () => {
    const response = await fetch(`${proxy.url}/api/v1/emails?a=1`, { method: "POST", body: '{"to":[]}' });
    expect([response.status, await response.text()]).toEqual([201, "{}"]);
    expect([seen[0]?.request.url, String(seen[0]?.body)]).toEqual(["/base/api/v1/emails?a=1", '{"to":[]}']);
    expect(exchanges).toMatchObject([
      { method: "POST", requestBody: '{"to":[]}', status: 201, responseBody: "{}" },
    ]);
    expect(exchanges[0]?.url).toMatch(/\/base\/api\/v1\/emails\?a=1$/);
  });

  it("removes headers that are for one connection only", async () => {
    const response = await fetch(proxy.url, { headers: { "proxy-authorization": "secret", "x-own": "1" } });
    expect([response.headers.get("x-kept"), response.headers.get("x-hop")]).toEqual(["1", null]);
    const { headers } = seen[0]?.request ?? {};
    expect([headers?.["x-own"], headers?.["proxy-authorization"]]).toEqual(["1", undefined]);
  });

  it("passes headers on as they were written, repeated ones too", async () => {
    const own = { "X-Own": ["1", "2"], HOST: "other.example" };
    const [response] = (await once(request(proxy.url, { headers: own }).end(), "response")) as [
      IncomingMessage,
    ];
    response.resume();
    expect(seen[0]?.request.rawHeaders).toEqual([
      ...["X-Own", "1", "X-Own", "2"],
      ...["HOST", `127.0.0.1:${(server.address() as AddressInfo).port}`, "Connection", "keep-alive"],
    ]);
    expect(response.rawHeaders.join(" ")).toContain("X-Own 1 X-Own 2");
  });

  it("passes on a body in chunks with any method", async () => {
    const sent = request(proxy.url, { method: "DELETE", headers: { "transfer-encoding": "chunked" } });
    sent.write("one");
    sent.end("two");
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    response.resume();
    expect(String(seen[0]?.body)).toBe("onetwo");
  });

  it("passes on large bodies, of which it keeps a part", async () => {
    const response = await fetch(`${proxy.url}/large`, { method: "POST", body: large });
    expect((await response.arrayBuffer()).byteLength).toBe(large.length);
    expect(seen[0]?.body.length).toBe(large.length);
    await expect.poll(() => exchanges).toMatchObject([{ isCut: true }]);
    expect(exchanges[0]?.responseBody.length).toBeLessThan(large.length);
  });

  it.each(["gzip", "GZIP", "deflate", "br", "zstd"])(
    "records what a response in %s contains",
    async (name) => {
      const response = await fetch(`${proxy.url}/encoded/${name}`);
      expect(await response.json()).toEqual({ a: 1 });
      expect(exchanges).toMatchObject([{ responseBody: '{"a":1}' }]);
      expect(exchanges[0]).not.toHaveProperty("isCut");
    },
  );

  it.each(["unknown", "constructor"])("a response in the encoding %s is incomplete", async (name) => {
    await fetch(`${proxy.url}/encoded/${name}`);
    await expect.poll(() => exchanges).toMatchObject([{ responseBody: "", isCut: true }]);
  });

  it("passes on 50 requests at the same time, and records each response with its own request", async () => {
    await Promise.all(
      connections.map(async (connection) => {
        const response = await fetch(`${proxy.url}/together/`, { method: "POST", body: `[${connection}]` });
        expect(await response.text()).toBe(`{"received":[${connection}]}`);
      }),
    );
    await expect.poll(() => exchanges.length).toBe(connections.length);
    for (const { requestBody, responseBody } of exchanges)
      expect(responseBody).toBe(`{"received":${requestBody}}`);
    expect(mostAtOnce(exchanges)).toBe(connections.length);
  });

  it("closes the connection if the server does, and records that there was no response", async () => {
    await expect(fetch(`${proxy.url}/cut`)).rejects.toMatchObject({ cause: { code: "UND_ERR_SOCKET" } });
    expect(exchanges).toMatchObject([{ status: 0 }]);
    expect(exchanges[0]).not.toHaveProperty("isCut");
    expect(problems).toHaveLength(1);
  });

  it("responds with a 502 that is marked as its own if the server cannot be reached", async () => {
    server.closeAllConnections();
    server.close();
    const response = await fetch(proxy.url);
    expect([response.status, response.headers.get("proxy-status")]).toEqual([502, "email-api-contract"]);
    expect(await response.text()).toMatch(
      /^email-api-contract observe: the upstream server cannot be reached/,
    );
    expect(exchanges).toMatchObject([{ status: 0 }]);
    expect(problems).toMatchObject([{ code: "ECONNREFUSED" }]);
  });

  it("responds with a 502 of its own if a server closes the connection before the handshake of TLS", async () => {
    const plain = createTcpServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
    await once(plain, "listening");
    const upstream = `https://127.0.0.1:${(plain.address() as AddressInfo).port}`;
    const other = await startProxy({ upstream, port: 0, host: "127.0.0.1", onExchange: () => {} });
    const response = await fetch(other.url);
    expect([response.status, response.headers.get("proxy-status")]).toEqual([502, "email-api-contract"]);
    await other.close();
    plain.close();
  });

  it.each(["GET", "POST"])(
    "records a %s that its client gives up as one whose response nobody knows",
    async (method) => {
      const given = { method, signal: AbortSignal.timeout(200), ...(method === "POST" && { body: "{}" }) };
      await expect(fetch(`${proxy.url}/silent`, given)).rejects.toThrow();
      await expect.poll(() => exchanges).toMatchObject([{ method, status: 0, isCut: true }]);
      expect(problems).toEqual([]);
    },
  );
});
