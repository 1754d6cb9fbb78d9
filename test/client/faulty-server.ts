import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Clock } from "../../client/src/options.ts";

/** What the server does with one request. */
export type Fault =
  | { status: number; headers?: Record<string, string>; body: string }
  /** The connection breaks before the request is read, or after. */
  | "cut before"
  | "cut after"
  /** The answer begins and never ends. */
  | "hang";

export interface FaultyServer {
  url: string;
  /** The idempotency keys of the requests that arrived, in order; null for those without. */
  arrived: (string | null)[];
  close(): Promise<void>;
}

/** A server that meets its requests with these faults, one each; the last one for all that follow. */
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
  // One connection for each request: what is to happen to a request is known before it is read.
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

/** A clock that goes five hundred times as fast as the machine's: a minute of pauses is over in 120 ms. */
export const fastClock = (): Clock => {
  const start = Date.now();
  return {
    Date: { now: () => start + (performance.now() - began) * 500 },
    setTimeout: (act, milliseconds) => setTimeout(act, milliseconds / 500),
    clearTimeout: (timer: NodeJS.Timeout) => clearTimeout(timer),
  };
};
const began = performance.now();
