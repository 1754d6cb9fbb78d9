import { type Child, startServer, type Usage } from "./child.ts";
import { loadCore, serverCore } from "./cores.ts";
import { type Load, type LoadResult, sendLoad } from "./wrk.ts";

/** A load and what it cost the server. */
export interface Measured extends LoadResult {
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
