import { once } from "node:events";
import { chmodSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type EmbeddedPostgres, startEmbedded } from "../../../../sandbox/store/postgres/embedded.ts";
import { temporaryFolder } from "../sample.ts";
import { onServer } from "./cluster.ts";

/** A server of the test on the network, where the user `ada` has the password `secret`. */
export interface PasswordServer {
  server: EmbeddedPostgres;
  /** Without a password. */
  url: string;
}

export async function startPasswordServer(given?: number): Promise<PasswordServer> {
  const port = given ?? (await unusedPort());
  const file = join(temporaryFolder(), "pg_hba.conf");
  writeFileSync(file, "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n");
  // PostgreSQL does not run as root.
  chmodSync(join(file, ".."), 0o755);
  const server = await startEmbedded({
    port,
    settings: { listen_addresses: "127.0.0.1", hba_file: file },
  });
  onTestFinished(() => server.close());
  await onServer((client) => client.query("CREATE ROLE ada LOGIN PASSWORD 'secret'"), server.url);
  return { server, url: `postgres://ada@127.0.0.1:${port}/postgres` };
}

export async function unusedPort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
