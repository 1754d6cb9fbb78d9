import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { SuiteResult } from "./run.ts";

/** Runs the whole contract suite against many sandboxes at once, in one thread per core: the sandbox itself has the thread of the caller. */
export async function runSuites(urls: readonly string[]): Promise<SuiteResult[]> {
  const count = Math.min(availableParallelism(), urls.length);
  const shares = Array.from({ length: count }, (_, thread) => urls.filter((_, at) => at % count === thread));
  return (await Promise.all(shares.map(inThread))).flat();
}

async function inThread(urls: readonly string[]): Promise<SuiteResult[]> {
  const worker = new Worker(new URL("worker.ts", import.meta.url), { workerData: urls });
  // Rejects with an error of the thread.
  const ended = once(worker, "exit").then(() => {
    throw new Error("a thread ended before its runs");
  });
  const [results] = await Promise.race([once(worker, "message"), ended]);
  await worker.terminate();
  return results;
}
