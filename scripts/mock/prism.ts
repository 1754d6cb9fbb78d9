import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { childEnvironment } from "../environment.ts";
import { folderPrefix } from "./folder.ts";
import { prismEnded, prismFailure } from "./prism-failure.ts";

/** A mock that listens. */
export interface Mock {
  /** Where it answers, without a slash at the end. */
  url: string;
  /** Rejects with a Failure once Prism has ended; never resolves. */
  ended: Promise<never>;
  /** Ends it and resolves once its port is free. May be called more than once. */
  close(): Promise<void>;
}

interface PrismOptions {
  port: number;
  host: string;
  verbose: boolean;
  document: unknown;
}

const deadlineMilliseconds = 30_000;
const patienceMilliseconds = 2_000;
const listening = /Prism is listening on \S*:(\d+)/;

/**
 * Starts the command line of Prism in a process of its own and resolves when it listens.
 * @throws Failure with what Prism wrote, when it ends or stays silent before it listens
 */
export async function startPrism(options: PrismOptions): Promise<Mock> {
  // Prism watches its file and starts anew on another port when it changes, so it gets a copy that nobody touches.
  const folder = await mkdtemp(join(tmpdir(), folderPrefix));
  const file = join(folder, "openapi.json");
  await writeFile(file, JSON.stringify(options.document));
  const child = launch(file, options);
  const output = collect(child, options.verbose);
  const close = async (): Promise<void> => {
    await end(child);
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
  const guard = new URL("guard.ts", import.meta.url).href;
  const settings = ["--port", String(port), "--host", host, "--cors=false", "--multiprocess=false"];
  return spawn(process.execPath, ["--import", guard, prism, "mock", file, ...settings], {
    // The channel tells Prism when this process is gone. In a group of its own it does not hear a Ctrl-C meant for us.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: true,
    env: childEnvironment({ NO_COLOR: undefined, SCARF_ANALYTICS: "false", FORCE_COLOR: "0" }),
  });
}

interface Output {
  text: string;
}

/** The end of what the process writes; passed on as it comes with `verbose`. */
function collect(child: ChildProcess, verbose: boolean): Output {
  const output = { text: "" };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (piece: string) => {
      output.text = (output.text + piece).slice(-16_384);
      if (verbose) process.stderr.write(piece);
    });
  }
  return output;
}

/** The port that Prism says it listens on. It picks a free one itself, so that nobody can take it in between. */
async function portOf(child: ChildProcess, output: Output, options: PrismOptions): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const fail = (how: string) => reject(prismFailure(output.text, { ...options, how }));
  child.stdout?.on("data", () => {
    const port = listening.exec(output.text)?.[1];
    if (port !== undefined) resolve(Number(port));
  });
  child.once("error", (error) => fail(error.message));
  child.once("close", (code, signal) => fail(`it ended with ${signal ?? `status ${code}`}`));
  const timer = setTimeout(
    () => fail(`it did not listen within ${deadlineMilliseconds / 1000} s`),
    deadlineMilliseconds,
  );
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

function unexpectedEnd(child: ChildProcess, output: Output): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  child.once("close", () => reject(prismEnded(output.text)));
  // Only who waits for it is to hear of it: after close() it ends as well.
  promise.catch(() => {});
  return promise;
}

/** Asks the process to end, then makes it, and resolves once it is gone. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), patienceMilliseconds);
  await gone;
  clearTimeout(timer);
}

/** Where to reach it: the loopback where it listens on every interface. */
function urlOf(host: string, port: number): string {
  const reachable = { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}
