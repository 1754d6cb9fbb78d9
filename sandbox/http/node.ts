import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ApiRequest } from "../api/context.ts";
import { collect } from "./body.ts";
import { BodyRoom, usualRoom } from "./body-room.ts";
import { close, opened, urlOf } from "./listening.ts";
import { type Batch, together } from "./together.ts";

/** An answer to any request, of the API or not. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array;
  /** Set when the connection is to be ended in place of an answer. */
  cut?: true;
}

export interface HttpOptions {
  /** Answers a request. When it rejects, the connection is ended. */
  handle(request: ApiRequest): Promise<HttpResponse>;
  /** How many bytes of its body a request is read with at most, by its headers. Not asked for bodies that are small. */
  bodyLimit(request: Omit<ApiRequest, "body">): number;
  /** How many bytes of bodies are kept at once, of all connections together; 256 MiB when not given. */
  bodyRoom?: number;
  /** What a connection is answered on which something comes in that is not readable as HTTP, or not in time. */
  unreadable(): HttpResponse;
  port: number;
  host: string;
  /** The longest that a request may take to come in, in milliseconds. */
  requestTimeout: number;
}

/** Bodies up to this size are read without asking: judging their requests twice would cost more than keeping them. */
const small = 16 * 1024;

/** A server that listens. */
export interface HttpServer {
  /** Where it listens, without a slash at the end. */
  url: string;
  /** Takes no more requests, lets those under way finish within a second, and ends. */
  close(): Promise<void>;
}

/** What a request is received with. */
interface Receiver extends Pick<HttpOptions, "handle" | "bodyLimit"> {
  open(): boolean;
  room: BodyRoom;
  together: Batch;
}

/** Listens with plain `node:http`. Headers, bodies and the time they take are bounded. */
export async function listen(options: HttpOptions): Promise<HttpServer> {
  const { requestTimeout } = options;
  const open = (): boolean => server.listening;
  const room = new BodyRoom(options.bodyRoom ?? usualRoom);
  const receiver: Receiver = { ...options, open, room, together: together() };
  const server = createServer(
    {
      requestTimeout,
      headersTimeout: requestTimeout,
      connectionsCheckingInterval: Math.min(5_000, requestTimeout),
      // Node would answer in its own way; a request without `Host` is answered like any other.
      requireHostHeader: false,
      keepAliveTimeout: 15_000,
    },
    (request, response) => receive(request, response, receiver),
  );
  // Whoever asks before sending a body that is not wanted is spared it.
  server.on("checkContinue", (request, response) =>
    receive(request, response, receiver, () => response.writeContinue()),
  );
  // Whatever is expected, `100-continue` aside, is not ours to promise: the request is answered as it is.
  server.on("checkExpectation", (request, response) => receive(request, response, receiver));
  server.on("clientError", (_error, socket) => refuse(socket as Socket, options.unreadable()));
  await opened(server, options);
  return { url: urlOf(server), close: () => close(server) };
}

function receive(
  request: IncomingMessage,
  response: ServerResponse,
  receiver: Receiver,
  proceed = (): void => {},
): void {
  const { handle, open, room } = receiver;
  const head = {
    method: request.method ?? "GET",
    target: request.url ?? "/",
    // Only `set-cookie` is ever a list, and nothing here reads it.
    headers: request.headers as Record<string, string | undefined>,
  };
  const most = isSmall(request) ? small : receiver.bodyLimit(head);
  collect(request, { most, room, proceed }, ({ body, leftOut, free }) => {
    const call: ApiRequest = { ...head, body, bodyOmitted: leftOut };
    receiver.together(() =>
      handle(call).then(
        (answer) => {
          free();
          send(answer, response, open);
        },
        // Only a sandbox that has ended under a request cannot answer it.
        () => {
          free();
          response.destroy();
        },
      ),
    );
  });
}

const isSmall = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) <= small;

function send(answer: HttpResponse, response: ServerResponse, open: () => boolean): void {
  if (answer.cut) {
    response.destroy();
    return;
  }
  const { status, headers, body } = answer;
  // A connection that stayed open would hold up the end.
  if (!open()) headers.Connection = "close";
  headers["Content-Length"] = String(typeof body === "string" ? Buffer.byteLength(body) : body.length);
  response.writeHead(status, headers);
  response.end(body);
}

/** Answers on a socket that no request was read from, and ends it. */
function refuse(socket: Socket, { status, headers, body }: HttpResponse): void {
  if (!socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const lines = Object.entries({
    ...headers,
    "Content-Length": Buffer.byteLength(body),
    Connection: "close",
  });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${status} Refused\r\n${head}\r\n${body}`, () => socket.destroy());
}
