import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** A message as its bytes say, without a library: one character for each byte. */
export interface RawMessage {
  /** Each 1xx response before it: status and header lines. */
  interim: string[];
  start: string;
  /** The header lines in their order. */
  lines: string[];
  body: string;
  trailers: string[];
}

const end = "\r\n\r\n";

/** The first message in the bytes; undefined if they do not have all of it. @param hasBody false for a response to HEAD */
function parsed(bytes: string, hasBody = true): RawMessage | undefined {
  const at = bytes.indexOf(end);
  if (at < 0) return undefined;
  const [start = "", ...lines] = bytes.slice(0, at).split("\r\n");
  const rest = bytes.slice(at + end.length);
  if (/^HTTP\/1\.1 1(?!01)/.test(start)) {
    const next = parsed(rest, hasBody);
    return next && { ...next, interim: [[start.slice(0, 12), ...lines].join("\n"), ...next.interim] };
  }
  const message = { interim: [], start, lines, body: "", trailers: [] };
  const field = (name: RegExp): string | undefined => lines.find((line) => name.test(line));
  if (!hasBody || /^HTTP\/1\.1 (204|304)/.test(start)) return message;
  if (field(/^transfer-encoding: *chunked$/i) !== undefined) {
    const chunked = dechunked(rest);
    return chunked && { ...message, ...chunked };
  }
  const length = Number(/\d+$/.exec(field(/^content-length:/i) ?? "0")?.[0]);
  return rest.length < length ? undefined : { ...message, body: rest.slice(0, length) };
}

function dechunked(text: string): { body: string; trailers: string[] } | undefined {
  let [body, rest] = ["", text];
  for (;;) {
    const at = rest.indexOf("\r\n");
    if (at < 0) return undefined;
    const size = Number.parseInt(rest.slice(0, at), 16);
    rest = rest.slice(at + 2);
    if (size === 0) {
      if (rest.startsWith("\r\n")) return { body, trailers: [] };
      const last = rest.indexOf(end);
      return last < 0 ? undefined : { body, trailers: rest.slice(0, last).split("\r\n") };
    }
    if (rest.length < size + 2) return undefined;
    body += rest.slice(0, size);
    rest = rest.slice(size + 2);
  }
}

/** A server that keeps the bytes of each request, and responds with given ones. */
export interface RawServer {
  url: string;
  requests: RawMessage[];
  /** What it responds with; it closes the connection afterwards if `closes`. */
  response: { bytes: string; closes?: boolean };
  close(): void;
}

export async function startRawServer(): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    let bytes = "";
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      bytes += chunk.toString("latin1");
      const request = parsed(bytes);
      if (request === undefined) return;
      bytes = "";
      raw.requests.push(request);
      const { bytes: response, closes = false } = raw.response;
      if (closes) socket.end(response, "latin1");
      else socket.write(response, "latin1");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const raw: RawServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    response: { bytes: "" },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
  return raw;
}

/** The response to the bytes of a request, which are sent as they are; undefined if the connection ends before it is complete. */
export async function sendRaw(url: string, bytes: string): Promise<RawMessage | undefined> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setTimeout(5000, () => socket.destroy());
  socket.on("error", () => {});
  socket.write(bytes, "latin1");
  let received = "";
  for await (const chunk of socket) {
    received += (chunk as Buffer).toString("latin1");
    const response = parsed(received, !bytes.startsWith("HEAD "));
    if (response === undefined) continue;
    socket.destroy();
    return response;
  }
  return undefined;
}
