import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ObservingProxy, startProxy } from "../../scripts/observe/proxy.ts";
import type { TrafficExchange } from "../../scripts/observe/traffic.ts";

let server: Server;
let proxy: ObservingProxy;
let seen: { request: IncomingMessage; body: Buffer }[];
let exchanges: TrafficExchange[];
const large = Buffer.alloc(3 * 1024 * 1024, "a");

beforeEach(async () => {
  seen = [];
  exchanges = [];
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    seen.push({ request, body: Buffer.concat(chunks) });
    if (request.url === "/base/large") response.end(large);
    else if (request.url === "/base/cut") response.destroy();
    else if (request.url === "/base/gzip")
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync('{"a":1}'));
    else response.writeHead(201, { connection: "x-hop", "x-hop": "1", "x-kept": "1" }).end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`;
  proxy = await startProxy({
    upstream,
    port: 0,
    host: "127.0.0.1",
    onExchange: (one) => exchanges.push(one),
  });
});

afterEach(async () => {
  await proxy.close();
  server.closeAllConnections();
  server.close();
});

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

  it("passes on large bodies, of which it keeps a part", async () => {
    const response = await fetch(`${proxy.url}/large`, { method: "POST", body: large });
    expect((await response.arrayBuffer()).byteLength).toBe(large.length);
    expect(seen[0]?.body.length).toBe(large.length);
    await expect.poll(() => exchanges).toMatchObject([{ isCut: true }]);
    expect(exchanges[0]?.responseBody.length).toBeLessThan(large.length);
  });

  it("passes compressed responses on unchanged, and records what they contain", async () => {
    const response = await fetch(`${proxy.url}/gzip`);
    expect(await response.json()).toEqual({ a: 1 });
    expect(exchanges[0]?.responseBody).toBe('{"a":1}');
  });

  it("responds with 502 if the server does not, and records that there was no response", async () => {
    expect((await fetch(`${proxy.url}/cut`)).status).toBe(502);
    expect(exchanges).toMatchObject([{ status: 0 }]);
  });

  it("rejects upgrades with 501", async () => {
    const { hostname, port } = new URL(proxy.url);
    const socket = connect(Number(port), hostname);
    socket.write(`GET / HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    const [data] = (await once(socket, "data")) as [Buffer];
    socket.destroy();
    expect(String(data)).toMatch(/^HTTP\/1\.1 501 /);
  });
});
