import { once } from "node:events";
import {
  createServer,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
  type Server,
  type ServerResponse,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { AddressInfo } from "node:net";
import { endToEnd } from "./end-to-end.ts";
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
  const target = targetOf(options);
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
      await closed;
      clearTimeout(timer);
      target.agent.destroy();
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
  agent: HttpAgent;
  options: RequestOptions;
}

function targetOf({ upstream, onExchange }: ProxyOptions): Target {
  const url = new URL(upstream);
  const isSecure = url.protocol === "https:";
  const path = url.pathname.replace(/\/+$/, "");
  const agent = new (isSecure ? HttpsAgent : HttpAgent)({
    keepAlive: true,
    maxSockets: 1024,
    scheduling: "lifo",
  });
  return {
    base: url.origin + path,
    path,
    host: url.host,
    send: isSecure ? httpsRequest : httpRequest,
    agent,
    options: {
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port,
      agent,
      setHost: false,
    },
    onExchange,
  };
}

function pass(request: IncomingMessage, response: ServerResponse, target: Target): void {
  const recorder = new Recorder(request, target.base, target.onExchange);
  const { method = "GET", url = "/" } = request;
  const out = target.send({
    ...target.options,
    method,
    path: target.path + url,
    headers: headersFor(request, target),
  });
  out.on("response", (received) => {
    response.writeHead(received.statusCode ?? 502, endToEnd(received));
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

/** The headers of the request to the server. A body in chunks stays one, with any method. */
const headersFor = (request: IncomingMessage, { host }: Target): Record<string, string | string[]> => ({
  Host: host,
  ...endToEnd(request),
  ...(isChunked(request) && { "Transfer-Encoding": "chunked" }),
});

const isChunked = ({ headers }: IncomingMessage): boolean => headers["transfer-encoding"] !== undefined;

function forward(request: IncomingMessage, out: ReturnType<typeof httpRequest>, recorder: Recorder): void {
  if (request.headers["content-length"] === undefined && !isChunked(request)) {
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
