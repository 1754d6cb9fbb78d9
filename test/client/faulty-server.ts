import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Clock } from "../../client/src/options.ts";

/** How the server handles one request. */
export type Fault =
  | { status: number; headers?: Record<string, string>; body: string }
  /** The connection is cut before or after the request is read. */
  | "cut before"
  | "cut after"
  /** A response whose body hangs. */
  | "hang";

export interface FaultyServer {
  url: string;
  /** The idempotency keys of the requests that arrived; null for none. */
  arrived: (string | null)[];
  close(): Promise<void>;
}

/** Starts a server with one fault for each request; the last one is for all further requests. */
export async function startFaultyServer(faults: Fault[]): Promise<FaultyServer> {
  const arrived: (string | null)[] = [];
  let met = 0;
  const next = (): Fault | undefined => faults[Math.min(met++, faults.length - 1)];
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    const fault = waiting.get(request.socket);
    arrived.push((request.headers["idempotency-key"] as string | undefined) ?? null);
    play(fault, request, response);
  });
  const waiting = new WeakMap<Socket, Fault | undefined>();
  // One connection for each request, so that its fault is known before it is read.
  server.on("connection", (socket) => {
    const fault = next();
    waiting.set(socket, fault);
    if (fault === "cut before") socket.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function play(fault: Fault | undefined, request: IncomingMessage, response: ServerResponse): void {
  if (fault === "cut after" || fault === "cut before" || fault === undefined) request.socket.destroy();
  else if (fault === "hang") response.writeHead(202, { connection: "close" }).write('{"id":');
  else response.writeHead(fault.status, { ...fault.headers, connection: "close" }).end(fault.body);
}

/** A clock that runs 500 times as fast: a minute takes 120 ms. */
export const fastClock = (): Clock => {
  const start = Date.now();
  return {
    Date: { now: () => start + (performance.now() - startedAt) * 500 },
    setTimeout: (act, milliseconds) => setTimeout(act, milliseconds / 500),
    clearTimeout: (timer: NodeJS.Timeout) => clearTimeout(timer),
  };
};
const startedAt = performance.now();
