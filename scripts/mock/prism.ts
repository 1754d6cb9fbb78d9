import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { childEnvironment } from "../../contract/config/child-environment.ts";
import { printable } from "../../lib/print.ts";
import { type ListenOptions, listenError, UserError, usageError } from "../../lib/user-error.ts";
import { readBundle } from "../document/read-bundle.ts";

export interface Mock {
  /** The base URL, without a trailing slash. */
  url: string;
  /** Rejects with a UserError if Prism ends by itself; never resolves. */
  ended: Promise<never>;
  /** Stops it and resolves when its port is free. May be called more than once. */
  close(): Promise<void>;
}

export interface PrismOptions {
  port: number;
  host: string;
  verbose: boolean;
  document: unknown;
}

const startDeadlineMilliseconds = 30_000;
const stopDeadlineMilliseconds = 2_000;
const listening = /Prism is listening on \S*:(\d+)/;

/**
 * Starts Prism's command line in a process of its own and resolves when it listens. It ends with this process. Defaults: a free port of
 * 127.0.0.1, the bundle, Prism's own log hidden.
 * @throws UserError with exit code 2 if there is no bundle, or Prism does not start
 */
export async function startMock(given: Partial<PrismOptions> = {}): Promise<Mock> {
  const document = given.document ?? (await readBundle());
  const options = { port: 0, host: "127.0.0.1", verbose: false, ...given, document };
  // Prism restarts on another port when its file changes, so it gets a copy.
  const folder = await mkdtemp(join(tmpdir(), "email-api-contract-mock-"));
  const file = join(folder, "openapi.json");
  await writeFile(file, JSON.stringify(document));
  const child = launch(file, options);
  const output = collect(child, options.verbose);
  const close = async (): Promise<void> => {
    await stop(child);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const port = await portOf(child, output, options);
    return { url: urlOf(options.host, port), ended: unexpectedEnd(child, output), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function launch(file: string, { port, host }: PrismOptions): ChildProcess {
  const prism = createRequire(import.meta.url).resolve("@stoplight/prism-cli/dist/index.js");
  const preload = new URL("prism-preload.ts", import.meta.url).href;
  const settings = ["--port", String(port), `--host=${host}`, "--cors=false", "--multiprocess=false"];
  return spawn(process.execPath, ["--import", preload, prism, "mock", file, ...settings], {
    // The IPC channel tells Prism when this process ends. In a process group of its own it receives no Ctrl-C meant for us.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: true,
    env: childEnvironment({
      MOCK_FOLDER: dirname(file),
      NO_COLOR: undefined,
      SCARF_ANALYTICS: "false",
      FORCE_COLOR: "0",
    }),
  });
}

/** The last 16 KiB that a process has written. */
interface Output {
  text: string;
}

/** Keeps what the process writes; `verbose` also forwards it. */
function collect(child: ChildProcess, verbose: boolean): Output {
  const output = { text: "" };
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (piece: string) => {
      output.text = (output.text + piece).slice(-16_384);
      if (verbose) process.stderr.write(printable(piece));
    });
  return output;
}

/** The port that Prism reports. Prism picks a free one itself, so no other process can take it in between. */
async function portOf(child: ChildProcess, output: Output, options: PrismOptions): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const fail = (reason: string) => reject(prismFailure(output.text, reason, options));
  child.stdout?.on("data", () => {
    const port = listening.exec(output.text)?.[1];
    if (port !== undefined) resolve(Number(port));
  });
  child.once("error", (error) => fail(error.message));
  child.once("close", (code, signal) => fail(signal ?? `exit code ${code}`));
  const timer = setTimeout(
    () => fail(`it did not listen within ${startDeadlineMilliseconds / 1000} s`),
    startDeadlineMilliseconds,
  );
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

function unexpectedEnd(child: ChildProcess, output: Output): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  child.once("close", () => {
    reject(new UserError("Prism ended unexpectedly", { hint: `Prism wrote: ${lastParagraph(output.text)}` }));
  });
  // close() ends it as well: without a listener that is no unhandled rejection.
  promise.catch(() => {});
  return promise;
}

/** Sends SIGTERM, later SIGKILL, and resolves when the process is gone. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), stopDeadlineMilliseconds);
  await gone;
  clearTimeout(timer);
}

/** The base URL; the loopback interface if it listens on every interface. */
function urlOf(host: string, port: number): string {
  const reachable = { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

/**
 * Why Prism did not start, with exit code 2.
 * @param output what Prism wrote
 * @param reason how it ended: `exit code 1`
 */
export function prismFailure(output: string, reason: string, { host, port }: ListenOptions): UserError {
  const code = /\bE(ADDRINUSE|ACCES|ADDRNOTAVAIL|NOTFOUND|AI_AGAIN)\b/.exec(output)?.[0];
  const hint = `Prism wrote: ${lastParagraph(output)}`;
  return listenError(code, { host, port }) ?? usageError(`Prism did not start: ${reason}`, hint);
}

/** Before its last paragraph Prism prints the help of its command line. */
const lastParagraph = (output: string): string =>
  output
    .trim()
    .split(/\n\s*\n/)
    .at(-1)
    ?.trim() || "nothing";
