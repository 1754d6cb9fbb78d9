import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import type { Driver, StartDriver } from "../../../contract/client-suite/driver/protocol.ts";
import { DriverSession } from "../../../contract/client-suite/engine/driver-session.ts";
import { RecordingServer } from "../../../contract/client-suite/service/recording-server.ts";
import { startSandboxService } from "../../../scripts/client-suite/run-command.ts";

const capabilities: Driver["capabilities"] = {
  client: "late",
  operations: ["getMe"],
  retries: false,
  idempotencyKeys: "explicit",
  timeouts: false,
};

/** A driver that ends in its first call; the request arrives after that. */
const endsInCall: StartDriver = async ({ baseUrl }) => {
  let isOpen = true;
  return {
    capabilities,
    call: async () => {
      isOpen = false;
      setTimeout(() => fetch(`${baseUrl}/api/v1/me`).catch(() => {}), 30);
      return undefined;
    },
    get isOpen() {
      return isOpen;
    },
    takeOutput: () => "",
    close: async () => {
      isOpen = false;
    },
  };
};

let session: DriverSession | undefined;
afterEach(async () => {
  await session?.close();
  session = undefined;
});

it("a late request of a driver that ended belongs to no later test case", async () => {
  session = await DriverSession.open(await startSandboxService(), endsInCall);
  await (await session.driver()).call({ operation: "getMe" }, 100);
  await session.reset();
  await session.driver();
  await pause(100);
  expect(session.server.take()).toEqual([]);
});

it("a request that is under way when a call ends belongs to that call", async () => {
  const service = await startSandboxService();
  const server = await RecordingServer.open(service.baseUrl);
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  await once(socket, "connect");
  socket.write("GET /api/v1/me HTTP/1.1\r\nHost: a\r\n\r\n");
  await server.settle();
  expect(server.take().map(({ request }) => request.target)).toEqual(["/api/v1/me"]);
  socket.destroy();
  await Promise.all([server.close(), service.close()]);
});
