import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { bodyLimits } from "../../../sandbox/api/context.ts";
import { type HttpServer, listen } from "../../../sandbox/http/node.ts";
import { keys, mail, startRig } from "../rig.ts";
import { checkRaw } from "./raw.ts";

const megabyte = 1024 * 1024;
const block = Buffer.alloc(megabyte, "x");
const sockets: Socket[] = [];
const servers: HttpServer[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) await server.close();
});

async function connected(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  await once(socket, "connect");
  return socket;
}

const head = (path: string, key: string | null, length: number, more = ""): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${key === null ? "" : `Authorization: Bearer ${key}\r\n`}Content-Type: application/json\r\nContent-Length: ${length}\r\n${more}\r\n`;

/** The next thing that the server says. */
const said = async (socket: Socket): Promise<string> => String((await once(socket, "data"))[0]);

async function upload(socket: Socket, megabytes: number): Promise<void> {
  for (let sent = 0; sent < megabytes; sent++)
    await new Promise<void>((resolve, reject) =>
      socket.write(block, (error) => (error ? reject(error) : resolve())),
    );
}

describe("an upload that is rejected by its headers gets the response before it comes in", () => {
  test.each([
    ["no key", "/api/v1/emails", null, 401],
    ["a key that nobody has", "/api/v1/emails", "nobody", 401],
    ["a revoked key", "/api/v1/emails", keys.revoked, 401],
    ["an address that there is not", "/api/v1/letters", keys.all, 404],
    ["an address outside the API that there is not", "/letters", null, 404],
    ["a method that is not taken", "/api/v1/me", keys.all, 405],
  ])("%s", async (_name, path, key, status) => {
    const { sandbox } = await startRig();
    const socket = await connected(sandbox.url);
    socket.write(head(path, key, 40 * megabyte));
    // Not one byte of the body has left by now.
    expect(checkRaw("POST", path, await said(socket))?.status).toBe(status);
    // A client that sends it anyway can reuse the connection.
    await upload(socket, 40);
    socket.write(`GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${keys.all}\r\n\r\n`);
    expect(checkRaw("GET", "/api/v1/me", await said(socket))?.status).toBe(200);
  });

  test("in chunks, of which it cannot be told how many there are", async () => {
    const { sandbox } = await startRig();
    const socket = await connected(sandbox.url);
    socket.write("POST /api/v1/emails HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
    expect(checkRaw("POST", "/api/v1/emails", await said(socket))?.status).toBe(401);
  });

  test("by one that asks before it sends, which then need not", async () => {
    const { sandbox } = await startRig();
    const socket = await connected(sandbox.url);
    socket.write(head("/api/v1/emails", null, 40 * megabyte, "Expect: 100-continue\r\n"));
    expect(checkRaw("POST", "/api/v1/emails", await said(socket))?.status).toBe(401);
  });

  test("a client that writes all of it first reads the response too", async () => {
    const { call } = await startRig();
    const raw = new Uint8Array(40 * megabyte);
    for (const [path, status] of [
      ["/api/v1/emails", 401],
      ["/api/v1/letters", 404],
    ] as const)
      expect((await call("POST", path, { key: null, raw })).status).toBe(status);
  });
});

test("a control call takes a megabyte, and is not taken for one without a body when it has more", async () => {
  const { sandbox, post, get } = await startRig();
  const { id } = (await post("/api/v1/emails", mail())).body;
  const response = await fetch(`${sandbox.url}/sandbox/reset`, {
    method: "POST",
    body: Buffer.alloc(2 * megabyte),
  });
  expect([response.status, await response.json()]).toEqual([
    413,
    { error: expect.objectContaining({ message: "The body is too large." }) },
  ]);
  expect((await get(`/api/v1/emails/${id}`)).status).toBe(200);
});

/** Sends a body, and resolves with the response. */
async function send(url: string, body: Uint8Array, headers: Record<string, string> = {}) {
  const outgoing = request(url, { method: "POST", headers, agent: false });
  // After the response, the rest of the body does not matter.
  outgoing.on("error", () => {});
  const responded = once(outgoing, "response");
  outgoing.end(body);
  const [response] = (await responded) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await json(response) };
}

test("bodies of all connections together stay within the limit, and there is room again after their responses", async () => {
  const { sandbox, post } = await startRig();
  const large = Buffer.alloc(bodyLimits.api, "x");
  const most = 6;
  const headers = { authorization: `Bearer ${keys.all}`, "content-type": "application/json" };
  const url = `${sandbox.url}/api/v1/emails`;
  const { next } = sandbox.failures;
  const all = Promise.withResolvers<void>();
  let held = 0;
  sandbox.failures.next = (request) => {
    held += 1;
    if (held === most) all.resolve();
    return next(request);
  };
  await sandbox.failures.add({ kind: "delay", milliseconds: 600_000 }, most);
  const responses = Array.from({ length: most }, () => send(url, large, headers));
  await all.promise;
  expect(bodyLimits.total - most * large.length).toBe(16 * megabyte);
  const rejected = await send(url, large.subarray(0, 17 * megabyte), headers);
  expect(rejected).toMatchObject({
    status: 503,
    headers: { "retry-after": "1" },
    body: {
      error: { message: expect.stringContaining("too many large bodies"), request_id: expect.any(String) },
    },
  });
  // What is small still finds room.
  expect((await post("/api/v1/emails", mail())).status).toBe(202);
  sandbox.failures.end();
  for (const response of responses) expect((await response).status).toBe(422);
  expect((await send(url, large.subarray(0, 17 * megabyte), headers)).status).toBe(422);
});

/** A server with little room, which may hold every body until it is told to respond. */
async function listenNarrow(bodyRoom: number, holds: boolean) {
  const held: (() => void)[] = [];
  const counts = { rejected: 0, kept: 0, mostKept: 0 };
  const server = await listen({
    ...{ port: 0, host: "127.0.0.1", requestTimeout: 60_000, bodyRoom },
    bodyLimit: () => 2 * megabyte,
    unreadable: () => ({ status: 422, headers: {}, body: "" }),
    handle: async ({ body, bodyOmitted }) => {
      const length = body?.length ?? 0;
      counts.kept += length;
      counts.mostKept = Math.max(counts.mostKept, counts.kept);
      if (holds && length > 0) await new Promise<void>((resolve) => held.push(resolve));
      counts.kept -= length;
      if (bodyOmitted === "no room") counts.rejected += 1;
      return { status: bodyOmitted === undefined ? 200 : 503, headers: {}, body: "{}" };
    },
  });
  servers.push(server);
  return { url: server.url, held, counts };
}

const chunked = { "transfer-encoding": "chunked" };

test("bodies in chunks have no more room than there is either", async () => {
  const { url, held, counts } = await listenNarrow(3 * megabyte, true);
  const responses = Array.from({ length: 8 }, () => send(url, block, chunked));
  await expect.poll(() => counts.rejected + held.length).toBe(8);
  const taken = held.length;
  for (const end of held.splice(0)) end();
  const statuses = (await Promise.all(responses)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(taken);
  expect(taken).toBeGreaterThan(0);
  expect(counts.mostKept).toBeLessThanOrEqual(3 * megabyte);
});

test("what breaks off gives its room back", async () => {
  const { url } = await listenNarrow(2 * megabyte, false);
  for (let round = 0; round < 3; round++) {
    const socket = await connected(url);
    socket.write(head("/", null, 2 * megabyte));
    await upload(socket, 1);
    socket.destroy();
  }
  // All of the room is needed, as soon as the server has seen that those are gone.
  const whole = Buffer.alloc(2 * megabyte);
  await expect.poll(async () => (await send(url, whole)).status).toBe(200);
});

test("a request on a connection that was idle a little longer than announced gets a response", async () => {
  const { sandbox } = await startRig();
  const { hostname, port } = new URL(sandbox.url);
  const socket = connect(Number(port), hostname).setEncoding("utf8");
  const send = async (): Promise<string> => {
    socket.write("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const [text] = await once(socket, "data");
    return text;
  };
  const [, seconds] = /Keep-Alive: timeout=(\d+)/i.exec(await send()) ?? [];
  // A busy client notices the time late.
  await wait(Number(seconds) * 1_000 + 5_000);
  expect(await send()).toMatch(/^HTTP\/1\.1 200/);
  socket.destroy();
});
