import { once } from "node:events";
import { chmodSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type EmbeddedPostgres, startEmbedded } from "../../../../sandbox/store/postgres/embedded.ts";
import { temporaryFolder } from "../sample.ts";
import { onServer } from "./cluster.ts";

/** A server of the test on the network. @param method how it authenticates users */
export async function startNetworkServer(port: number, method: string): Promise<EmbeddedPostgres> {
  const file = join(temporaryFolder(), "pg_hba.conf");
  writeFileSync(file, `local all all trust\nhost all all 127.0.0.1/32 ${method}\n`);
  // PostgreSQL does not run as root.
  chmodSync(join(file, ".."), 0o755);
  const settings = { listen_addresses: "127.0.0.1", hba_file: file };
  const server = await startEmbedded({ port, settings });
  onTestFinished(() => server.close());
  return server;
}

/** A server where the user `ada` has the password `secret`. @returns its URL, without a password */
export async function startPasswordServer(): Promise<{ url: string }> {
  const port = await unusedPort();
  const server = await startNetworkServer(port, "scram-sha-256");
  await onServer((client) => client.query("CREATE ROLE ada LOGIN PASSWORD 'secret'"), server.url);
  return { url: `postgres://ada@127.0.0.1:${port}/postgres` };
}

export async function unusedPort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
