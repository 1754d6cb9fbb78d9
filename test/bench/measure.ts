import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { UserError } from "../../lib/user-error.ts";
import { type Child, loadCore, pinned, serverCore, startServer, type Usage } from "./child.ts";

/** A load and what it cost the server. */
interface Measured extends LoadResult {
  /** Requests a second. */
  rate: number;
  /** CPU of the server for each request, in microseconds; with what it does later, until the message is delivered. */
  cpu: number;
}

/** Puts a load on a server that has a core for itself. */
export async function measure(server: Child, load: Load): Promise<Measured> {
  const before = await server.ask<Usage>({});
  const result = await sendLoad(server.url, load, loadCore);
  const after = await server.ask<Usage>({ settled: true });
  return {
    ...result,
    rate: result.requests / result.seconds,
    cpu: (after.cpu - before.cpu) / result.requests,
  };
}

/** Starts a server on the core of servers. */
export const startPinned = (script: string, parameters: string[] = []): Promise<Child> =>
  startServer(script, parameters, serverCore);

/** Milliseconds from starting a process to its first response; the median of several starts. */
export async function coldStart(script: string, starts: number): Promise<number> {
  const times: number[] = [];
  for (let number = 0; number < starts; number += 1) {
    const start = performance.now();
    const server = await startPinned(script);
    await sendOne(server.url);
    times.push(performance.now() - start);
    await server.stop();
  }
  return median(times);
}

export const requestHeaders = {
  authorization: "Bearer sandbox_all_2f7c",
  "content-type": "application/json",
};

/** Sends a small message, and waits for the response. */
export async function sendOne(url: string): Promise<void> {
  const body = JSON.stringify({
    from: "orders@bakery.example",
    to: ["ada@readers.example"],
    subject: "Hello",
    text: "Hello",
  });
  const response = await fetch(`${url}/api/v1/emails`, { method: "POST", headers: requestHeaders, body });
  await response.arrayBuffer();
  if (response.status !== 202) throw new Error(`the first request got ${response.status}`);
}

export function median(numbers: number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** One server under the same load as the floor. Ratios are to the floor, of the same round. */
export interface Comparison {
  floor: Measured;
  server: Measured;
  /** Requests a second, of the floor's: the more the better. */
  rate: number;
  /** CPU of the floor for a request, of the server's: the more the better. */
  cpu: number;
}

/**
 * Puts the same load on the floor and on a server, in turns, so that whatever else the machine does meets both.
 *
 * @returns the round in the middle, by rate, by CPU and by p99 each
 */
export async function compare(floor: Child, server: Child, load: Load, rounds: number): Promise<Comparison> {
  const all: Comparison[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const ofFloor = await measure(floor, load);
    const ofServer = await measure(server, load);
    all.push({
      floor: ofFloor,
      server: ofServer,
      rate: ofServer.rate / ofFloor.rate,
      cpu: ofFloor.cpu / ofServer.cpu,
    });
  }
  const rate = median(all.map((round) => round.rate));
  const middle = all.find((round) => round.rate === rate) as Comparison;
  const inTheMiddle = (whose: "floor" | "server"): Measured => ({
    ...middle[whose],
    p99: median(all.map((round) => round[whose].p99)),
  });
  return {
    floor: inTheMiddle("floor"),
    server: inTheMiddle("server"),
    rate,
    cpu: median(all.map((round) => round.cpu)),
  };
}

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
