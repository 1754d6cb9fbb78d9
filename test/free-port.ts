import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** A port of this machine that is free now, for a server that is started later and does not say which one it has. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
