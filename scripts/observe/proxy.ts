import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { urlToHttpOptions } from "node:url";
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";
import type { ListenOptions } from "../../lib/user-error.ts";
import { close, urlOf } from "../../sandbox/http/node.ts";
import { headersOf } from "./recorded-values.ts";
import type { TrafficExchange } from "./traffic.ts";

interface ProxyOptions extends ListenOptions {
  /** The URL of the server, without a slash at the end; its path is put before each path. */
  upstream: string;
  onExchange(exchange: TrafficExchange): void;
  /** Takes the error of a request without a response. */
  onProblem?(error: unknown): void;
}

export type ObservingProxy = Awaited<ReturnType<typeof startProxy>>;

/** In bytes: what is too large is for the server to say. */
const maxHeaderSize = 1024 * 1024;
/** The mark of RFC 9209 says that the response is not that of the server. */
const ownHeaders = { "content-type": "text/plain", "proxy-status": "email-api-contract" };
const noResponse =
  "email-api-contract observe: the upstream server cannot be reached, or responds with something that is not HTTP.\n";

/** Starts a reverse proxy that passes everything on unchanged, both ways as streams, and reports each exchange. */
export async function startProxy({ upstream, onExchange, onProblem = () => {}, port, host }: ProxyOptions) {
  const target = new URL(upstream);
  const path = target.pathname.replace(/\/+$/, "");
  const { request: send, Agent } = target.protocol === "https:" ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 1024, scheduling: "lifo" });
  const options = { ...urlToHttpOptions(target), agent, setHost: false, maxHeaderSize };
  const respond = (request: http.IncomingMessage, response: http.ServerResponse): void => {
    const { method = "GET", url = "/" } = request;
    const requested = url === "*" ? url : path + url.replace(/^https?:\/\/[^/?#]*/i, "") || "/";
    const recorder = recorderOf(request, target.origin + requested, response, onExchange);
    // The server may not even have received the request, or the client has given it up.
    const fail = (error?: unknown, isCut = response.headersSent): void => {
      if (error !== undefined && !response.destroyed) onProblem(error);
      recorder.end();
      if (isCut) response.destroy();
      else response.writeHead(502, "Bad Gateway", ownHeaders).end(noResponse);
    };
    response.sendDate = false;
    try {
      const out = requestOf(send, { ...options, method, path: requested }, fieldsOf(request, target.host));
      out.maxHeadersCount = 0;
      out.on("information", ({ statusCode, rawHeaders }) => {
        if (!response.headersSent && request.httpVersion !== "1.0")
          response.writeInformation(statusCode, rawHeaders);
      });
      out.on("response", (received) => {
        try {
          const { statusCode = 0, statusMessage = "" } = received;
          if (statusCode < 200) throw new Error(`the status ${statusCode} ends no response`);
          received.on("data", (chunk: Buffer) => recorder.add("received", chunk));
          received.on("end", () => {
            response.addTrailers(pairsOf(received.rawTrailers));
            recorder.end(received.statusCode, received.headers);
          });
          received.on("error", fail);
          received.on("close", () => recorder.end());
          response.writeHead(statusCode, statusMessage, fieldsOf(received).flat());
          received.pipe(response);
        } catch (error) {
          // Such as a status below 200, which is not the end of a response and cannot be passed on.
          out.destroy();
          fail(error);
        }
      });
      out.on("upgrade", (_, socket) => {
        socket.destroy();
        fail();
      });
      out.on("error", (error) => {
        // What has come of a response says more: a server may respond early and close the connection.
        if (!response.headersSent) fail(error, isCutByServer(error, out.socket));
      });
      response.on("error", () => out.destroy());
      response.on("close", () => {
        if (!response.writableFinished) out.destroy();
      });
      request.on("data", (chunk: Buffer) => recorder.add("sent", chunk));
      request.on("error", () => out.destroy());
      request.on("end", () => out.addTrailers(pairsOf(request.rawTrailers)));
      request.pipe(out);
    } catch (error) {
      fail(error);
    }
  };
  const server = http.createServer({
    keepAliveTimeout: 15_000,
    requireHostHeader: false,
    maxHeaderSize,
    // The server need not accept an upgrade, and responds as usual without one.
    shouldUpgradeCallback: () => false,
  });
  server.maxHeadersCount = 0;
  server.on("request", respond);
  // The server decides whether the body may come.
  server.on("checkContinue", respond);
  server.listen(port, host);
  await once(server, "listening");
  return {
    url: urlOf(server),
    /** Accepts no more requests and waits for those in progress, for at most two seconds. */
    close: async (): Promise<void> => {
      await close(server, 2_000);
      agent.destroy();
    },
  };
}

/** Whether a server closed a connection that a request was sent over. With TLS, none is before the handshake. */
const isCutByServer = ({ code = "" }: NodeJS.ErrnoException, socket: Socket | null): boolean =>
  ["ECONNRESET", "EPIPE"].includes(code) && !(socket instanceof TLSSocket && !socket.authorized);

/** Those that are only for one connection (RFC 9110, 7.6.1), and the framing of the body, which Node writes. */
const notPassedOn = new Set(
  `connection keep-alive proxy-authenticate proxy-authorization proxy-connection te transfer-encoding
  upgrade`.split(/\s+/),
);

/** Without them, the recipient would read another message: `Connection` must not list them, and cannot remove them. */
const alwaysPassedOn = /^(content-.*|host|authorization)$/;

type Field = [name: string, value: string];

/** Names and values that alternate, as Node gives them. */
const pairsOf = (raw: readonly string[]): Field[] =>
  Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at] ?? "", raw[2 * at + 1] ?? ""]);

/**
 * The headers that a proxy passes on, as they were written and in their order.
 * @param host that of the next server, in place of the one that a request names
 */
function fieldsOf({ headers, rawHeaders }: http.IncomingMessage, host?: string): Field[] {
  const listed = headers.connection?.toLowerCase().split(/[ ,\t]+/) ?? [];
  const isChunked = headers["transfer-encoding"] !== undefined;
  const kept = pairsOf(rawHeaders).filter(([name]) => {
    const key = name.toLowerCase();
    // Trailers follow chunks only.
    if (key === "trailer") return isChunked;
    return !notPassedOn.has(key) && (alwaysPassedOn.test(key) || !listed.includes(key));
  });
  if (host === undefined) return kept;
  return [
    ...(headers.host === undefined ? [["Host", host] satisfies Field] : []),
    ...kept.map(([name, value]): Field => [name, name.toLowerCase() === "host" ? host : value]),
    // Says that trailers are welcome: they are passed on.
    ...(/\btrailers\b/i.test(String(headers.te)) ? [["TE", "trailers"] satisfies Field] : []),
    ...(isChunked ? [["Transfer-Encoding", "chunked"] satisfies Field] : []),
  ];
}

/**
 * Starts a request with exactly these headers. Node frames a body with some methods even if there is none, unless the headers are removed, and then
 * writes repeated ones together.
 */
function requestOf(
  send: typeof http.request,
  options: http.RequestOptions,
  fields: Field[],
): http.ClientRequest {
  const hasBody = fields.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  if (hasBody || /^(GET|HEAD|DELETE|OPTIONS|TRACE)$/.test(options.method ?? "")) {
    const out = send({ ...options, headers: fields.flat() });
    if (hasBody) out.flushHeaders();
    return out;
  }
  const out = send(options);
  for (const [name, value] of fields) out.appendHeader(name, value);
  out.removeHeader("Content-Length");
  out.removeHeader("Transfer-Encoding");
  return out;
}

/** The start of a body that is kept, in bytes. A longer body is passed on, and not compared. */
const most = 256 * 1024;

/** Keeps what the checks need of one exchange that passes through. */
function recorderOf(
  request: http.IncomingMessage,
  url: string,
  response: http.ServerResponse,
  onExchange: ProxyOptions["onExchange"],
) {
  const startedAt = performance.timeOrigin + performance.now();
  const chunks = { sent: [] as Buffer[], received: [] as Buffer[] };
  const bytes = { sent: 0, received: 0 };
  let isOver = false;
  return {
    add: (part: keyof typeof bytes, chunk: Buffer): void => {
      bytes[part] += chunk.length;
      if (bytes[part] <= most) chunks[part].push(chunk);
    },
    /** Reports the exchange, unless that is done. Without a status, there is no complete response: the client may have given it up. */
    end: (status = 0, headers: http.IncomingHttpHeaders = {}): void => {
      if (isOver) return;
      isOver = true;
      const { method = "GET" } = request;
      const responseBody = decoded(chunks.received, headers["content-encoding"]);
      const isCut =
        status === 0
          ? response.destroyed
          : bytes.sent > most || bytes.received > most || responseBody === undefined;
      onExchange({
        startedAt,
        milliseconds: performance.timeOrigin + performance.now() - startedAt,
        method,
        url,
        requestHeaders: headersOf(request.headers),
        requestBody: bytes.sent === 0 ? undefined : textOf(chunks.sent),
        status,
        responseHeaders: headersOf(headers),
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
