import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sendRequest } from "../../contract/engine/http.ts";

/** A server that responds to the first request of a connection, and closes it when the next one arrives. */
const server = createServer((socket) => {
  sockets.add(socket);
  socket.on("error", () => {});
  socket.once("data", () => {
    requests += 1;
    if (isSilent) socket.destroy();
    else socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}");
    socket.once("data", () => {
      resets += 1;
      socket.resetAndDestroy();
    });
  });
});
const sockets = new Set<Socket>();
let requests: number;
let resets: number;
let isSilent: boolean;
beforeEach(async () => {
  [requests, resets, isSilent] = [0, 0, false];
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

/** Resolves once the client may use the connection again, and later when it has been idle for long enough to be closed. */
const isFree = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
const isIdle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 600));

const send = (method: string) => {
  const { port } = server.address() as { port: number };
  const transport = { baseUrl: `http://127.0.0.1:${port}`, fetch, responseDeadline: 5 };
  return sendRequest(transport, { method, path: "/api/v1/me" }, undefined);
};

describe("a server that closes an idle connection", () => {
  it("gets a request that changes nothing once more", async () => {
    for (let count = 0; count < 3; count += 1) {
      expect(await send("GET")).toMatchObject({ status: 200 });
      await isIdle();
    }
    expect([requests, resets]).toEqual([3, 2]);
  });

  it("gets no other request twice: that is an error", async () => {
    await send("GET");
    await isIdle();
    await expect(send("POST")).rejects.toMatchObject({ name: "Unreachable" });
    expect([requests, resets]).toEqual([1, 1]);
  });

  it("is no excuse for one that closes a new connection", async () => {
    isSilent = true;
    await expect(send("GET")).rejects.toMatchObject({ name: "Unreachable" });
    expect(requests).toBe(1);
  });

  it("is no excuse for one that closes a connection in use", async () => {
    await send("GET");
    await isFree();
    await expect(send("GET")).rejects.toMatchObject({ name: "Unreachable" });
    expect([requests, resets]).toEqual([1, 1]);
  });
});
