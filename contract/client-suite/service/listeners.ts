import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { selfSigned } from "./self-signed.ts";

type Work<Given extends unknown[]> = (...given: Given) => Promise<void>;

/** Runs some work while a server listens on a free port of this machine. */
async function whileListening(server: Server, work: Work<[port: number]>): Promise<void> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket.on("error", () => {}));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await work((server.address() as AddressInfo).port);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  }
}

/** Records requests as texts, and responds with 200. */
const recording =
  (requests: string[], body: unknown): RequestListener =>
  (incoming, outgoing) => {
    const { method, url, rawHeaders } = incoming;
    const record = (chunks: Buffer[]): void => {
      requests.push([`${method} ${url}`, ...rawHeaders, Buffer.concat(chunks).toString()].join("\n"));
      outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    // A client may close the connection within its request.
    incoming.toArray().then(record, () => outgoing.destroy());
  };

/**
 * Runs some work while another host listens.
 * @param work gets its base URL, which has another host name and another port, and the requests that arrived
 */
export function withOtherHost(body: unknown, work: Work<[url: string, requests: readonly string[]]>) {
  const requests: string[] = [];
  const server = createHttpServer(recording(requests, body));
  return whileListening(server, (port) => work(`http://localhost:${port}`, requests));
}

/**
 * Runs some work while a port accepts connections without responding.
 * @param work gets the port, and the first bytes of each connection
 */
export function withSilentPort(work: Work<[port: number, first: readonly Buffer[]]>): Promise<void> {
  const first: Buffer[] = [];
  const server = createServer((socket) => {
    socket.once("data", (data) => {
      first.push(data);
      socket.destroy();
    });
  });
  return whileListening(server, (port) => work(port, first));
}

/**
 * Runs some work while an https server with a certificate that nobody trusts listens.
 * @param work gets the port, and the requests that arrived
 */
export function withUntrustedHost(work: Work<[port: number, requests: readonly string[]]>): Promise<void> {
  const requests: string[] = [];
  const server = createHttpsServer(selfSigned(), recording(requests, {}));
  return whileListening(server, (port) => work(port, requests));
}

/**
 * Runs some work with a port of this machine on which nothing listens. The port is one end of an open connection: no
 * other server, such as one of a check that runs at the same time, can get it meanwhile.
 */
export const withClosedPort = (work: Work<[port: number]>): Promise<void> =>
  whileListening(createServer(), async (port) => {
    const reserving = connect(port, "127.0.0.1");
    try {
      await once(reserving, "connect");
      await work((reserving.address() as AddressInfo).port);
    } finally {
      reserving.destroy();
    }
  });
