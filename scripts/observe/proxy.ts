import { once } from "node:events";
import {
  createServer,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
  type Server,
  type ServerResponse,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { AddressInfo } from "node:net";
import { Recorder } from "./recorder.ts";
import type { TrafficExchange } from "./traffic.ts";

export interface ProxyOptions {
  /** The URL of the server, without a slash at the end; its path is put before each path. */
  upstream: string;
  port: number;
  host: string;
  onExchange(exchange: TrafficExchange): void;
}

export interface ObservingProxy {
  url: string;
  /** Accepts no more requests and waits for those in progress, for at most two seconds. */
  close(): Promise<void>;
}

/** In milliseconds. */
const grace = 2000;

/** Starts a reverse proxy that passes everything on unchanged, both ways as streams, and reports each exchange. */
export async function startProxy(options: ProxyOptions): Promise<ObservingProxy> {
  const upstream = new URL(options.upstream);
  const isSecure = upstream.protocol === "https:";
  const agent = new (isSecure ? HttpsAgent : HttpAgent)({
    keepAlive: true,
    maxSockets: 1024,
    scheduling: "lifo",
  });
  const path = upstream.pathname.replace(/\/+$/, "");
  const target: Target = {
    base: upstream.origin + path,
    path,
    host: upstream.host,
    send: isSecure ? httpsRequest : httpRequest,
    options: {
      protocol: upstream.protocol,
      hostname: upstream.hostname.replace(/^\[|\]$/g, ""),
      port: upstream.port,
      agent,
      setHost: false,
    },
    onExchange: options.onExchange,
  };
  const server = createServer({ keepAliveTimeout: 15_000, requireHostHeader: false }, (request, response) =>
    pass(request, response, target),
  );
  server.on("upgrade", (_request, socket) => {
    socket.end("HTTP/1.1 501 Not Implemented\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  });
  server.listen(options.port, options.host);
  await once(server, "listening");
  return {
    url: urlOf(server),
    close: async () => {
      const timer = setTimeout(() => server.closeAllConnections(), grace);
      const closed = once(server, "close");
      server.close();
      server.closeIdleConnections();
      await closed;
      clearTimeout(timer);
      agent.destroy();
    },
  };
}

function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

/** The server, with what is the same in all requests to it. */
interface Target extends Pick<ProxyOptions, "onExchange"> {
  /** The URL without a slash at the end. */
  base: string;
  path: string;
  host: string;
  send: typeof httpRequest;
  options: RequestOptions;
}

function pass(request: IncomingMessage, response: ServerResponse, target: Target): void {
  const recorder = new Recorder(request, target.base, target.onExchange);
  const { method = "GET", url = "/" } = request;
  const headers = endToEnd(request.headers);
  headers.host = target.host;
  const out = target.send({ ...target.options, method, path: target.path + url, headers });
  out.on("response", (received) => {
    response.writeHead(received.statusCode ?? 502, endToEnd(received.headers));
    received.on("data", (chunk: Buffer) => {
      recorder.received(chunk);
      if (!response.write(chunk)) received.pause();
    });
    response.on("drain", () => received.resume());
    received.on("end", () => {
      response.end();
      recorder.end(received);
    });
    received.on("error", () => response.destroy());
    received.on("close", () => recorder.fail());
  });
  // The server is not to blame: it may not even have received the request.
  out.on("error", () => {
    recorder.fail();
    if (response.headersSent) response.destroy();
    else
      response.writeHead(502, { "content-type": "text/plain" }).end("The upstream server did not respond.\n");
  });
  response.on("close", () => {
    if (!response.writableFinished) out.destroy();
  });
  forward(request, out, recorder);
}

function forward(request: IncomingMessage, out: ReturnType<typeof httpRequest>, recorder: Recorder): void {
  if (request.headers["content-length"] === undefined && request.headers["transfer-encoding"] === undefined) {
    out.end();
    return;
  }
  request.on("data", (chunk: Buffer) => {
    recorder.sent(chunk);
    if (!out.write(chunk)) request.pause();
  });
  out.on("drain", () => request.resume());
  request.on("end", () => out.end());
  request.on("error", () => out.destroy());
}

/** Those that are only for one connection (RFC 9110, 7.6.1). */
const hopByHop = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

function endToEnd(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const listed = headers.connection?.toLowerCase().split(/ *, */) ?? [];
  const kept: Record<string, string | string[]> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !hopByHop.has(name) && !listed.includes(name)) kept[name] = value;
  }
  return kept;
}
