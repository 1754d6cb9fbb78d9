import { type Child, startServer, startWorker, type Usage } from "./child.ts";
import type { Load, LoadResult } from "./load.ts";

/** A load and what it cost the server. */
export interface Measured extends LoadResult {
  /** Requests a second. */
  rate: number;
  /** CPU of the server for each request, in microseconds. */
  cpu: number;
}

const loader = new URL("./load.ts", import.meta.url).pathname;

/** Puts a load on a server, from a process of its own. */
export async function measure(server: Child, load: Omit<Load, "url">): Promise<Measured> {
  const worker = startWorker(loader);
  const before = await server.ask<Usage>({});
  const result = await worker.ask<LoadResult>({ ...load, url: server.url });
  const after = await server.ask<Usage>({});
  await worker.stop();
  return {
    ...result,
    rate: result.requests / result.seconds,
    cpu: (after.cpu - before.cpu) / result.requests,
  };
}

/** Milliseconds from starting a process to its first response; the median of several starts. */
export async function coldStart(script: string, starts: number): Promise<number> {
  const times: number[] = [];
  for (let number = 0; number < starts; number += 1) {
    const start = performance.now();
    const server = await startServer(script);
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
