import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { ApiRequest } from "../api/context.ts";
import type { HttpResponse } from "./handler.ts";

/** The first line of a request. */
export type RequestLine = Pick<ApiRequest, "method" | "target">;

/** An error of Node's HTTP parser, with what came in last. */
export interface ParseError extends NodeJS.ErrnoException {
  rawPacket?: Buffer;
  bytesParsed?: number;
}

/** The first line of a request that is rejected for its method alone: the parser knows some forty methods, and HTTP allows any token. */
export function unknownMethod({ code, rawPacket, bytesParsed = 0 }: ParseError): RequestLine | undefined {
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

/** Called for each request, before its response. */
export function received(request: IncomingMessage, response: ServerResponse): void {
  last.set(request.socket, { request, response, earlier: last.get(request.socket)?.response });
}

/** Requests that get their response before the end of their body, which is not read. */
const respondedEarly = new WeakSet<IncomingMessage>();

/** Called for each of them, before its response. */
export const respondEarly = (request: IncomingMessage): void => void respondedEarly.add(request);

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
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const response = await respond().catch(() => null);
  if (response === null) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = response;
  const lines = Object.entries({
    ...headers,
    "Content-Length": Buffer.byteLength(body),
    Connection: "close",
  });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`, () => socket.destroy());
}
