import { once } from "node:events";
import type { Socket } from "node:net";
import { PassThrough } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { listen, reject } from "../../../sandbox/http/node.ts";
import { startRig } from "../rig.ts";
import { bearer, expectUnreadable, head } from "./bytes.ts";
import { exchange, parse } from "./raw.ts";

test.each([
  ["a raw byte above 0x7f", head("GET /workspaces/\xe9")],
  ["noise", "\u0000\u0001\u0002\r\n\r\n"],
])("%s after a request on the same connection gets a response of its own, in order", async (_, bytes) => {
  const { sandbox } = await startRig();
  const first = `GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\n${bearer}\r\n`;
  const read = await exchange(sandbox.url, Buffer.from(first + bytes, "latin1"));
  expect(parse(read)?.status).toBe(200);
  expectUnreadable(read.slice(read.lastIndexOf("HTTP/1.1")));
});

test("a body that cannot be parsed, after a request that has no response yet, gets the second response", async () => {
  const { sandbox } = await startRig();
  const first = `GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\n${bearer}\r\n`;
  const second = `${head("POST /api/v1/emails", "Transfer-Encoding: chunked\r\n")}zz\r\n`;
  const read = await exchange(sandbox.url, first + second);
  expect(parse(read)?.status).toBe(200);
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
