import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { send } from "./send.ts";
import { joined, Upstream } from "./upstream.ts";
import type { Disturbance, WireExchange, WireRequest } from "./wire.ts";

const maxBody = 64 * 1024 * 1024;
/** Turns of the event loop: one accepts a connection, one reads from it. */
const minTurns = 4;
/** In milliseconds: a client may have stopped within a request. */
const maxArrival = 100;

/** A server in front of the service: it records the requests of a client, forwards them, and disturbs the responses. */
export class RecordingServer {
  /** Without a slash at the end. */
  readonly url: string;
  readonly #server: Server;
  readonly #upstream: Upstream;
  readonly #connections = new WeakMap<Socket, number>();
  #connectionCount = 0;
  #arriving = 0;
  #pending: Disturbance[] = [];
  #exchanges: WireExchange[] = [];

  private constructor(server: Server, target: string) {
    this.#server = server;
    this.#upstream = new Upstream(target);
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on("request", (incoming, outgoing) => {
      this.#handle(incoming, outgoing).catch(() => outgoing.destroy());
    });
  }

  /** @param target the base URL of the service */
  static async open(target: string): Promise<RecordingServer> {
    // A client may keep a connection for as long as it likes: only a disturbance closes it.
    const server = createServer({ requestTimeout: 0, keepAliveTimeout: 0 });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new RecordingServer(server, target);
  }

  /** Disturbs the next requests, each with one disturbance; null lets a request pass. */
  disturb(disturbances: readonly (Disturbance | null)[]): void {
    this.#pending = disturbances.map((one) => one ?? passes);
  }

  /** Lets requests arrive that a client sent before it ended a call: at its timeout, one may be under way. */
  async settle(): Promise<void> {
    const end = performance.now() + maxArrival;
    for (let turn = 0; turn < minTurns || (this.#arriving > 0 && performance.now() < end); turn += 1)
      await setImmediate();
  }

  /** The requests since the last time, in their order. Disturbances that were not used are dropped. */
  take(): WireExchange[] {
    this.#pending = [];
    return this.#exchanges.splice(0);
  }

  async close(): Promise<void> {
    this.#upstream.close();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const startedAt = Date.now();
    this.#arriving += 1;
    const read = await this.#read(incoming).finally(() => {
      this.#arriving -= 1;
    });
    const disturbance = this.#pending.shift() ?? passes;
    const exchange: WireExchange = {
      request: read,
      response: undefined,
      ownStatus: undefined,
      disturbance: disturbance === passes ? undefined : disturbance.title,
      receivedAt: performance.now(),
      endedAt: Number.POSITIVE_INFINITY,
      startedAt,
    };
    this.#exchanges.push(exchange);
    const response = await disturbance.handle(read, async () => {
      const own = await this.#upstream.forward(read);
      exchange.ownStatus = own.status;
      return own;
    });
    // Before it is sent: the client may have read it and replied before this process goes on.
    if (!("cut" in response)) exchange.response = response;
    await send(outgoing, response);
    exchange.endedAt = performance.now();
  }

  async #read(incoming: IncomingMessage): Promise<WireRequest> {
    const { method = "", url: target = "", socket } = incoming;
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of incoming) {
      size += chunk.length;
      if (size > maxBody) throw new Error("the body is too large");
      chunks.push(chunk);
    }
    const connection = this.#connections.get(socket) ?? ++this.#connectionCount;
    this.#connections.set(socket, connection);
    return { method, target, headers: joined(incoming), body: Buffer.concat(chunks), connection };
  }
}

const passes: Disturbance = { title: "", handle: (_request, forward) => forward() };
