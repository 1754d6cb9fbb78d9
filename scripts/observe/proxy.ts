import { once } from "node:events";
import http, { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { urlToHttpOptions } from "node:url";
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";
import { mapValues } from "../../lib/objects.ts";
import type { TrafficExchange } from "./traffic.ts";

interface ProxyOptions {
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
export async function startProxy({
  upstream,
  onExchange,
  port,
  host,
}: ProxyOptions): Promise<ObservingProxy> {
  const target = new URL(upstream);
  const path = target.pathname.replace(/\/+$/, "");
  const { request: send, Agent } = target.protocol === "https:" ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 1024, scheduling: "lifo" });
  const options = { ...urlToHttpOptions(target), agent, setHost: false };
  const server = createServer({ keepAliveTimeout: 15_000, requireHostHeader: false }, (request, response) => {
    const { method = "GET", url = "/" } = request;
    const recorder = recorderOf(request, target.origin + path, onExchange);
    const isChunked = request.headers["transfer-encoding"] !== undefined;
    const out = send({
      ...options,
      method,
      path: path + url,
      // A body in chunks stays one, with any method.
      headers: {
        Host: target.host,
        ...endToEnd(request),
        ...(isChunked && { "Transfer-Encoding": "chunked" }),
      },
    });
    out.on("response", (received) => {
      response.writeHead(received.statusCode ?? 502, endToEnd(received));
      received.on("data", (chunk: Buffer) => recorder.add("received", chunk));
      received.pipe(response);
      received.on("end", () => recorder.end(received.statusCode, received.headers));
      received.on("error", () => response.destroy());
      received.on("close", () => recorder.end());
    });
    // The server is not to blame: it may not even have received the request.
    out.on("error", () => {
      recorder.end();
      if (response.headersSent) response.destroy();
      else
        response
          .writeHead(502, { "content-type": "text/plain" })
          .end("The upstream server did not respond.\n");
    });
    response.on("close", () => {
      if (!response.writableFinished) out.destroy();
    });
    request.on("data", (chunk: Buffer) => recorder.add("sent", chunk));
    request.on("error", () => out.destroy());
    request.pipe(out);
  });
  server.on("upgrade", (_request, socket) => {
    socket.end("HTTP/1.1 501 Not Implemented\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  });
  server.listen(port, host);
  await once(server, "listening");
  const { address, family, port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${bound}`,
    close: async () => {
      const timer = setTimeout(() => server.closeAllConnections(), grace);
      const closed = once(server, "close");
      server.close();
      await closed;
      clearTimeout(timer);
      agent.destroy();
    },
  };
}

/** Those that are only for one connection (RFC 9110, 7.6.1), and the host, which is another one. */
const notPassedOn = new Set([
  "connection",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** The headers that a proxy passes on, as they were written: names in their case, repeated ones as lists. */
function endToEnd({ headers, rawHeaders }: IncomingMessage): Record<string, string[]> {
  const listed = headers.connection?.toLowerCase().split(/ *, */) ?? [];
  const kept = new Map<string, [string, string[]]>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = rawHeaders.slice(at, at + 2);
    const key = name.toLowerCase();
    const earlier = kept.get(key);
    if (earlier !== undefined) earlier[1].push(value);
    else if (!notPassedOn.has(key) && !listed.includes(key)) kept.set(key, [name, [value]]);
  }
  return Object.fromEntries(kept.values());
}

/** The start of a body that is kept, in bytes. A longer body is passed on, and not compared. */
const most = 256 * 1024;

/** Keeps what the checks need of one exchange that passes through. */
function recorderOf(request: IncomingMessage, base: string, onExchange: ProxyOptions["onExchange"]) {
  const startedAt = performance.timeOrigin + performance.now();
  const chunks = { sent: [] as Buffer[], received: [] as Buffer[] };
  const bytes = { sent: 0, received: 0 };
  let isOver = false;
  return {
    add: (part: keyof typeof bytes, chunk: Buffer): void => {
      bytes[part] += chunk.length;
      if (bytes[part] <= most) chunks[part].push(chunk);
    },
    /** Reports the exchange, unless that is done. Without a status, there is no complete response. */
    end: (status = 0, headers: IncomingHttpHeaders = {}): void => {
      if (isOver) return;
      isOver = true;
      const { method = "GET", url = "/" } = request;
      const responseBody = decoded(chunks.received, headers["content-encoding"]);
      const isCut = bytes.sent > most || bytes.received > most || responseBody === undefined;
      onExchange({
        startedAt,
        milliseconds: performance.timeOrigin + performance.now() - startedAt,
        method,
        url: base + url,
        requestHeaders: texts(request.headers),
        requestBody: bytes.sent === 0 ? undefined : textOf(chunks.sent),
        status,
        responseHeaders: texts(headers),
        responseBody: responseBody ?? "",
        ...(isCut && { isCut }),
      });
    },
  };
}

const textOf = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString();

const decoders = new Map<string, (body: Buffer, options: { maxOutputLength: number }) => Buffer>([
  ["gzip", gunzipSync],
  ["x-gzip", gunzipSync],
  ["deflate", inflateSync],
  ["br", brotliDecompressSync],
  ["zstd", zstdDecompressSync],
]);

/** A body as text; undefined if its encoding is not known or it is cut. */
function decoded(chunks: readonly Buffer[], encoding: string | undefined): string | undefined {
  if (chunks.length === 0 || encoding === undefined || encoding === "identity") return textOf(chunks);
  try {
    const decode = decoders.get(encoding.toLowerCase());
    return decode?.(Buffer.concat(chunks), { maxOutputLength: 16 * most }).toString();
  } catch {
    return undefined;
  }
}

const texts = (headers: IncomingHttpHeaders): Record<string, string> =>
  mapValues(headers, (value) => (Array.isArray(value) ? value.join(", ") : String(value)));
