import { once } from "node:events";
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { pause } from "./pause.ts";
import type { Cut, Disturbance, WireExchange, WireRequest, WireResponse } from "./wire.ts";

const maxBody = 64 * 1024 * 1024;
/** These belong to one connection. */
const connectionHeaders = new Set(["connection", "keep-alive", "transfer-encoding", "content-length"]);

/** A server in front of the service: it records the requests of a client, forwards them, and disturbs the responses. */
export class RecordingServer {
  /** Without a slash at the end. */
  readonly url: string;
  readonly #server: Server;
  readonly #target: URL;
  // Without kept connections: the service may close one just when a request is sent on it.
  readonly #agent = new Agent();
  readonly #connections = new WeakMap<Socket, number>();
  #connectionCount = 0;
  #pending: Disturbance[] = [];
  #exchanges: WireExchange[] = [];

  private constructor(server: Server, target: string) {
    this.#server = server;
    this.#target = new URL(target);
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

  /** The requests since the last time, in their order. Disturbances that were not used are dropped. */
  take(): WireExchange[] {
    this.#pending = [];
    return this.#exchanges.splice(0);
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const startedAt = Date.now();
    const read = await this.#read(incoming);
    const disturbance = this.#pending.shift() ?? passes;
    const exchange: WireExchange = {
      request: read,
      response: undefined,
      disturbance: disturbance === passes ? undefined : disturbance.title,
      receivedAt: performance.now(),
      endedAt: Number.POSITIVE_INFINITY,
      startedAt,
    };
    this.#exchanges.push(exchange);
    const response = await disturbance.handle(read, () => this.#forward(read));
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

  #forward({ method, target, headers, body }: WireRequest): Promise<WireResponse> {
    const { hostname, port, host } = this.#target;
    const kept = Object.entries(headers).filter(([name]) => !connectionHeaders.has(name));
    return new Promise((resolve, reject) => {
      const forwarded = request(
        {
          hostname,
          port,
          method,
          path: target,
          agent: this.#agent,
          headers: {
            ...Object.fromEntries(kept),
            host,
            ...(body.length > 0 && { "content-length": body.length }),
          },
        },
        async (incoming) => {
          try {
            const chunks: Buffer[] = await incoming.toArray();
            const all = Object.entries(joined(incoming)).filter(([name]) => !connectionHeaders.has(name));
            const status = incoming.statusCode ?? 0;
            resolve({ status, headers: Object.fromEntries(all), body: Buffer.concat(chunks) });
          } catch (error) {
            reject(error);
          }
        },
      );
      forwarded.on("error", reject);
      forwarded.end(body);
    });
  }
}

const passes: Disturbance = { title: "", handle: (_request, forward) => forward() };

const joined = ({ headersDistinct }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(", ")]));

async function send(outgoing: ServerResponse, response: WireResponse | Cut): Promise<void> {
  if ("cut" in response) {
    if (response.within !== undefined) await sendHalf(outgoing, response.within, response.stalls);
    outgoing.destroy();
    return;
  }
  const { status, headers, body } = response;
  outgoing.writeHead(status, { ...headers, "content-length": body.length });
  outgoing.end(body);
  await Promise.race([once(outgoing, "finish"), once(outgoing, "close")]);
}

/** Half of a body, long enough that the client has read the head. */
async function sendHalf(
  outgoing: ServerResponse,
  { status, headers, body }: WireResponse,
  milliseconds = 50,
): Promise<void> {
  outgoing.writeHead(status, { ...headers, "content-length": body.length });
  outgoing.write(body.subarray(0, body.length / 2));
  await pause(milliseconds);
}
