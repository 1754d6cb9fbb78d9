import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate, setTimeout } from "node:timers/promises";
import { mapValues } from "../../../lib/objects.ts";

/** A request as the service received it. */
export interface WireRequest {
  method: string;
  /** Path and query, not decoded. */
  target: string;
  /** By lower-case name; repeated headers are joined with a comma. */
  headers: Record<string, string>;
  body: Buffer;
}

/** A response as the service sent it. */
export interface WireResponse {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string>;
  body: Buffer;
}

/** Closes the connection: without a response, or in the middle of one. */
export interface Cut {
  cut: true;
  within?: WireResponse;
  /** Milliseconds for which nothing follows the first half of `within`; default: 50. */
  stalls?: number;
}

/** Replaces the response to a request, or changes it. */
export interface Disturbance {
  /** What it does, as reports say it: `responds with 503`. */
  title: string;
  /** @param forward lets the service process the request */
  handle(request: WireRequest, forward: () => Promise<WireResponse>): Promise<WireResponse | Cut>;
}

export interface WireExchange {
  request: WireRequest;
  /** Undefined if the connection was closed first, or the client did not wait for it. */
  response: WireResponse | undefined;
  /** The status with which the service itself responded; undefined if the request did not reach it. */
  ownStatus: number | undefined;
  disturbance: string | undefined;
  /** Monotonic milliseconds: when the request was complete. */
  receivedAt: number;
  /**
   * Monotonic milliseconds: just before a response was sent, because how soon this process learns that it was sent depends on what else it does;
   * or when the connection was closed.
   */
  endedAt: number;
  /** Milliseconds since 1970. */
  startedAt: number;
}

/** Turns of the event loop: one accepts a connection, one reads from it. */
const minTurns = 4;
/** In milliseconds: a client may have stopped within a request. */
const maxArrival = 100;

export type RecordingServer = Awaited<ReturnType<typeof openRecordingServer>>;

/**
 * Opens a server in front of the service: it records the requests of a client, forwards them, and disturbs the responses.
 * @param target the base URL of the service
 */
export async function openRecordingServer(target: string) {
  let arriving = 0;
  let pending: Disturbance[] = [];
  const exchanges: WireExchange[] = [];
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const startedAt = Date.now();
    arriving += 1;
    const request = await read(incoming).finally(() => {
      arriving -= 1;
    });
    const disturbance = pending.shift() ?? passes;
    const exchange: WireExchange = {
      request,
      response: undefined,
      ownStatus: undefined,
      disturbance: disturbance === passes ? undefined : disturbance.title,
      receivedAt: performance.now(),
      endedAt: Number.POSITIVE_INFINITY,
      startedAt,
    };
    exchanges.push(exchange);
    const response = await disturbance.handle(request, async () => {
      const own = await forward(target, request);
      exchange.ownStatus = own.status;
      return own;
    });
    const isCut = "cut" in response;
    // Before it is sent: the client may have read it and replied before this process goes on.
    if (!isCut) Object.assign(exchange, { response, endedAt: performance.now() });
    await send(outgoing, response);
    if (isCut) exchange.endedAt = performance.now();
  };
  // A client may keep a connection for as long as it likes: only a disturbance closes it.
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: 0 }, (incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    /** Without a slash at the end. */
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Disturbs the next requests, each with one disturbance. */
    disturb(disturbances: readonly Disturbance[]): void {
      pending = [...disturbances];
    },
    /** Lets requests arrive that a client sent before it ended a call: at its timeout, one may be under way. */
    async settle(): Promise<void> {
      const end = performance.now() + maxArrival;
      for (let turn = 0; turn < minTurns || (arriving > 0 && performance.now() < end); turn += 1)
        await setImmediate();
    },
    /** The requests since the last time, in their order. Disturbances that were not used are dropped. */
    take(): WireExchange[] {
      pending = [];
      return exchanges.splice(0);
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const passes: Disturbance = { title: "", handle: (_request, forward) => forward() };

/** These belong to one connection. */
const connectionHeaders = new Set(["connection", "keep-alive", "transfer-encoding", "content-length"]);

/** Lets the service at a base URL process a request of a client. */
async function forward(base: string, { method, target, headers, body }: WireRequest): Promise<WireResponse> {
  const { hostname, port, host, pathname } = new URL(base);
  const forwarded = request({
    hostname,
    port,
    method,
    path: pathname.replace(/\/$/, "") + target,
    headers: { ...ofMessage(headers), host, ...(body.length > 0 && { "content-length": body.length }) },
    // Without kept connections: the service may close one just when a request is sent on it.
    agent: false,
  });
  // Of an error after the start of the response, the response tells.
  forwarded.on("error", () => {}).end(body);
  const [incoming] = (await once(forwarded, "response")) as [IncomingMessage];
  const received = Buffer.concat(await incoming.toArray());
  return { status: incoming.statusCode ?? 0, headers: ofMessage(joined(incoming)), body: received };
}

/** The headers that do not belong to the connection. */
const ofMessage = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !connectionHeaders.has(name)));

async function read(incoming: IncomingMessage): Promise<WireRequest> {
  const { method = "", url = "" } = incoming;
  const body = Buffer.concat(await incoming.toArray());
  return { method, target: url, headers: joined(incoming), body };
}

/** The headers of a message by lower-case name; repeated ones are joined with a comma. */
const joined = ({ headersDistinct }: IncomingMessage): Record<string, string> =>
  mapValues(headersDistinct, (values = []) => values.join(", "));

/** Sends a response to a client, or closes the connection: of a response within, once the client has read its head and half of its body. */
async function send(outgoing: ServerResponse, response: WireResponse | Cut): Promise<void> {
  const isCut = "cut" in response;
  const made = isCut ? response.within : response;
  if (made !== undefined) {
    const { status, headers, body } = made;
    outgoing.writeHead(status, { ...headers, "content-length": body.length });
    if (!isCut) outgoing.end(body);
    else {
      outgoing.write(body.subarray(0, body.length / 2));
      await pause(response.stalls ?? 50);
    }
  }
  if (isCut) outgoing.destroy();
}

/** Waits without keeping the process alive: a client may have ended the call long before. */
export const pause = <Value>(milliseconds: number, value?: Value): Promise<Value> =>
  setTimeout(milliseconds, value, { ref: false }) as Promise<Value>;
