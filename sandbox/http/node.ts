import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
// Imported, because users' tests may replace the global one.
import { setImmediate } from "node:timers";
import type { ListenOptions } from "../../lib/user-error.ts";
import { type ApiRequest, bodyLimits, type HttpResponse, type RequestHandler } from "../api/context.ts";
import { collect } from "./body.ts";

interface HttpOptions extends RequestHandler, ListenOptions {
  /** The most bytes of all bodies in memory. Default: `bodyLimits.total`. */
  bodyRoom?: number;
  /**
   * The response to what cannot be parsed as HTTP, or does not come in in time.
   * @param line the first line of a request whose method Node does not know
   * @param code that of Node's error
   */
  unreadable(line?: RequestLine, code?: string): HttpResponse | Promise<HttpResponse>;
  /** The longest that a request may take to come in, in milliseconds. */
  requestTimeout: number;
}

export interface HttpServer {
  /** Without a slash at the end. */
  url: string;
  /** Accepts no more requests and waits for those in progress, for at most a second. */
  close(): Promise<void>;
}

/** What requests are received with. */
type Receiver = HttpOptions & { isOpen(): boolean; room: { left: number }; queue(task: () => void): void };

/** Listens with plain `node:http`. Headers, bodies and the time they take are limited. */
export async function listen(options: HttpOptions): Promise<HttpServer> {
  const { requestTimeout } = options;
  const isOpen = (): boolean => server.listening;
  const room = { left: options.bodyRoom ?? bodyLimits.total };
  const receiver: Receiver = { ...options, isOpen, room, queue: createTickQueue() };
  const server = createServer(
    {
      requestTimeout,
      headersTimeout: requestTimeout,
      connectionsCheckingInterval: Math.min(5_000, requestTimeout),
      // Node would send a response of its own; a request without `Host` is handled like any other.
      requireHostHeader: false,
      keepAliveTimeout: 15_000,
      // A busy client notices late that this time, which it is told, is over, and sends one more request.
      keepAliveTimeoutBuffer: 15_000,
    },
    (request, response) => receive(request, response, receiver),
  );
  // A client that sends `Expect: 100-continue` does not send a body that is not wanted.
  server.on("checkContinue", (request, response) =>
    receive(request, response, receiver, () => response.writeContinue()),
  );
  // Other expectations are ignored (RFC 9110, 10.1.1).
  server.on("checkExpectation", (request, response) => receive(request, response, receiver));
  server.on("clientError", (error: ParseError, socket) =>
    reject(socket as Socket, async () => options.unreadable(unknownMethod(error), error.code)),
  );
  // Node would close the connection: this is no proxy, so it is a method like any other.
  server.on("connect", ({ method = "CONNECT", url = "/" }, socket) =>
    reject(socket as Socket, async () => options.unreadable({ method, target: url })),
  );
  // A client that ends its side after the request still reads the response; Node would close the connection before it.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.listen(options.port, options.host);
  // Rejects with the error if the port cannot be opened.
  await once(server, "listening");
  return { url: urlOf(server), close: () => close(server, 1_000) };
}

function receive(
  request: IncomingMessage,
  response: ServerResponse,
  receiver: Receiver,
  proceed = (): void => {},
): void {
  const { handle, isOpen, room, unreadable } = receiver;
  last.set(request.socket, { request, response, earlier: last.get(request.socket)?.response });
  if (request.headers.upgrade !== undefined)
    onBrokenOff(request, () => reject(request.socket, async () => unreadable()));
  const head = {
    method: request.method ?? "GET",
    target: request.url ?? "/",
    // Only `set-cookie` is ever a list, and nothing here reads it.
    headers: request.headers as Record<string, string | undefined>,
  };
  const limit = isSmall(request) ? bodyLimits.unchecked : receiver.bodyLimit(head);
  collect(request, { limit, room, proceed }, (body, free, omitted) => {
    if (omitted !== undefined) respondedEarly.add(request);
    const read: ApiRequest = { ...head, body, bodyOmitted: omitted };
    receiver.queue(() =>
      handle(read)
        .finally(free)
        .then(
          (handled) => send(handled, response, isOpen),
          // The sandbox has closed.
          () => response.destroy(),
        ),
    );
  });
}

/** Node reports a request that ends before its body does as a `clientError`, but not if it has an `Upgrade` header. */
function onBrokenOff(request: IncomingMessage, act: () => void): void {
  const ended = (): void => {
    if (!request.complete) act();
  };
  request.socket.once("end", ended);
  request.once("close", () => request.socket.off("end", ended));
}

const isSmall = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] === undefined &&
  Number(headers["content-length"] ?? 0) <= bodyLimits.unchecked;

function send(handled: HttpResponse, response: ServerResponse, isOpen: () => boolean): void {
  if (handled.cut) {
    response.destroy();
    return;
  }
  const { status, headers, body } = handled;
  // An open connection would delay the end of the server.
  if (!isOpen()) headers.Connection = "close";
  headers["Content-Length"] = String(typeof body === "string" ? Buffer.byteLength(body) : body.length);
  response.writeHead(status, headers);
  response.end(body);
}

export function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

/** Accepts no more requests and waits for those in progress, for at most so many milliseconds. */
export const close = (server: Server, grace: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), grace);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
  });

type RequestLine = Pick<ApiRequest, "method" | "target">;

/** An error of Node's HTTP parser, with what came in last. */
interface ParseError extends NodeJS.ErrnoException {
  rawPacket?: Buffer;
  bytesParsed?: number;
}

/** The first line of a request that is rejected for its method alone: the parser knows some forty methods, and HTTP allows any token. */
function unknownMethod({ code, rawPacket, bytesParsed = 0 }: ParseError): RequestLine | undefined {
  if (code !== "HPE_INVALID_METHOD" || rawPacket === undefined) return undefined;
  const [, method = "", target = ""] = requestLine.exec(rawPacket.toString("latin1")) ?? [];
  // Otherwise this line is that of an earlier request.
  return bytesParsed <= method.length && target !== "" ? { method, target } : undefined;
}

const requestLine = /^([\w!#$%&'*+.^`|~-]+) ([!-~]+) HTTP\/1\.[01]\r?\n/;

/** The last request of each connection whose headers could be parsed, and the response to the one before it. */
const last = new WeakMap<
  Socket,
  { request: IncomingMessage; response: ServerResponse; earlier: ServerResponse | undefined }
>();

/** Requests that get their response before the end of their body, which is not read. */
const respondedEarly = new WeakSet<IncomingMessage>();

/** The parser does not recover: it reports whatever comes in afterwards as a further error. */
const rejected = new WeakSet<Socket>();

/** Responds on a socket without a parsed request, after the responses to earlier requests, and closes it. */
export function reject(socket: Socket, respond: () => Promise<HttpResponse>): void {
  if (rejected.has(socket)) return;
  rejected.add(socket);
  const { request, response, earlier } = last.get(socket) ?? {};
  const isInBody = request?.complete === false;
  // It has one response: the other one would be taken for that of the next request.
  if (isInBody && respondedEarly.has(request)) after(response, () => socket.destroy());
  else after(isInBody ? earlier : response, () => void end(socket, respond));
}

/** Calls `act` once a response is sent, or the connection is lost; at once if there is none. */
function after(response: ServerResponse | undefined, act: () => void): void {
  if (response === undefined || response.writableFinished) act();
  else response.once("close", act);
}

async function end(socket: Socket, respond: () => Promise<HttpResponse>): Promise<void> {
  const response = socket.writable ? await respond().catch(() => null) : null;
  if (response === null) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = response;
  const sent = { ...headers, "Content-Length": Buffer.byteLength(body), Connection: "close" };
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}`;
  socket.end(`${head}\r\n${body}`, () => socket.destroy());
}

/**
 * Runs tasks at the end of the current turn of the event loop, all of that turn together. They must not throw.
 *
 * Requests that came in at the same time are all read first and handled afterwards: handling one after the other without reading in between
 * costs a quarter less, since the processor has the code at hand. A single request hardly waits.
 */
function createTickQueue() {
  let tasks: (() => void)[] = [];
  const runAll = (): void => {
    const all = tasks;
    tasks = [];
    for (const task of all) task();
  };
  return (task: () => void): void => {
    if (tasks.push(task) === 1) setImmediate(runAll);
  };
}
