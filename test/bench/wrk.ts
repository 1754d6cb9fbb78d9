import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { UserError } from "../../lib/user-error.ts";
import { loadCore, pinned } from "./cores.ts";

/** What is to be sent. */
export interface Load {
  connections: number;
  /** For how many seconds, or how many requests. */
  duration?: number;
  amount?: number;
  /** Whether each request has an idempotency key of its own. */
  keys?: boolean;
  /** Seconds between one scheduled message and the next, from `scheduledFrom` on, in milliseconds; sent at once when not given. */
  scheduledEvery?: number;
  scheduledFrom?: number;
}

/** How it went. Times in milliseconds; NaN if an amount was sent. */
export interface LoadResult {
  requests: number;
  seconds: number;
  p50: number;
  p99: number;
  /** Responses that were no 2xx, and connections that failed. */
  failed: number;
}

const script = new URL("./load.lua", import.meta.url).pathname;

/** Longer than any amount takes, in seconds. */
const longest = 300;

const run = promisify(execFile);

/**
 * Sends emails with wrk, as fast as responses come in.
 *
 * @param core that wrk runs on; undefined for any
 * @throws UserError if wrk is missing
 */
export async function sendLoad(url: string, load: Load, core: number | undefined): Promise<LoadResult> {
  const { connections, duration = 5, amount } = load;
  const seconds = amount === undefined ? duration : longest;
  const [command, ...first] = pinned(["wrk"], core);
  const options = ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "10s", "-s", script];
  const start = performance.now();
  const { stdout } = await run(command, [
    ...first,
    ...options,
    `${url}/api/v1/emails`,
    "--",
    ...argumentsOf(load),
  ]);
  const result = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
  return { seconds: (performance.now() - start) / 1_000, p50: Number.NaN, p99: Number.NaN, ...result };
}

function argumentsOf({ amount, keys, scheduledEvery, scheduledFrom = 0 }: Load): string[] {
  return [
    ...(amount === undefined ? [] : [`amount=${amount}`]),
    ...(keys ? [`keys=${randomUUID().slice(0, 23)}`] : []),
    ...(scheduledEvery === undefined ? [] : [`from=${scheduledFrom / 1000}`, `every=${scheduledEvery}`]),
  ];
}

/** @throws UserError if a program is missing */
export async function checkPrograms(): Promise<void> {
  for (const [name, option, install] of [
    ["wrk", "-v", "wrk"],
    ["taskset", "-V", "util-linux"],
  ] as const) {
    // wrk prints its version with exit code 1.
    const found = await run(name, [option]).then(
      () => true,
      ({ code }) => code !== "ENOENT",
    );
    if (!found)
      throw new UserError(`${name} is missing`, { hint: `Install it: apt-get install ${install}.` });
  }
  if (loadCore === undefined)
    console.error("This machine has one core: the server and the load generator share it.");
}
