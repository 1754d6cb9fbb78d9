import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import type { Network } from "../../../sandbox/mail/download.ts";
import { isPublicAddress } from "../../../sandbox/mail/link.ts";

// openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500 -subj /CN=files.example.com
//   -addext subjectAltName=DNS:files.example.com -keyout key.pem -out certificate.pem
const folder = new URL("./certificate/", import.meta.url);
export const key = readFileSync(new URL("key.pem", folder), "utf8");
export const certificate = readFileSync(new URL("certificate.pem", folder), "utf8");

/** The host `https://files.example.com` on loopback. */
export interface FileHost {
  /** The number of connections. */
  connections(): number;
  /** A network in which `files.example.com` is this host, and loopback is public. */
  network: Network & { lookups: string[] };
  close(): Promise<void>;
}

/** Starts a host that handles requests with `handle`. */
export async function startFileHost(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<FileHost> {
  const server = https.createServer({ key, cert: certificate }, handle);
  let connections = 0;
  server.on("connection", () => {
    connections++;
  });
  server.on("tlsClientError", () => {});
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    connections: () => connections,
    network: network((server.address() as AddressInfo).port),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function network(port: number): FileHost["network"] {
  const lookups: string[] = [];
  return {
    ...{ lookups, port, certificates: [certificate] },
    lookup: async (host) => {
      lookups.push(host);
      return ["127.0.0.1"];
    },
    isPublic: (address) => address.startsWith("127.") || isPublicAddress(address),
  };
}
