import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

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

/** A value in DER (ITU-T X.690). */
function der(tag: number, ...parts: (Buffer | readonly number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const [integer, bits, octets, oid, utf8, time, sequence, set] = [2, 3, 4, 6, 12, 23, 48, 49] as const;

/** A certificate of this machine (RFC 5280) that nobody trusts, for a day, and its key. Both are new, so that nothing has a key in it. */
export function selfSigned(): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaWithSha256 = der(sequence, der(oid, [0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2]));
  const commonName = der(sequence, der(oid, [0x55, 4, 3]), der(utf8, Buffer.from("localhost")));
  const name = der(sequence, der(set, commonName));
  const at = (hours: number): Buffer => {
    const date = new Date(Date.now() + hours * 3_600_000).toISOString();
    return der(time, Buffer.from(`${date.slice(2, 19).replaceAll(/\D/g, "")}Z`));
  };
  const names = der(sequence, der(0x82, Buffer.from("localhost")), der(0x87, [127, 0, 0, 1]));
  const extensions = der(sequence, der(sequence, der(oid, [0x55, 0x1d, 0x11]), der(octets, names)));
  const content = der(
    sequence,
    ...[der(0xa0, der(integer, [2])), der(integer, [1, ...randomBytes(8)]), ecdsaWithSha256, name],
    ...[der(sequence, at(-1), at(24)), name, publicKey.export({ type: "spki", format: "der" })],
    der(0xa3, extensions),
  );
  const signature = der(bits, [0], sign("sha256", content, privateKey));
  const base64 = der(sequence, content, ecdsaWithSha256, signature).toString("base64");
  const lines = base64.replaceAll(/.{64}(?=.)/g, "$&\n");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}
