import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Depth, ServerOutcome } from "./outcome.ts";

interface RunMutantsOptions {
  /** The indexes of the mutants. */
  indexes: readonly number[];
  depth: Depth;
  /** Called after each mutant. */
  onOutcome?: (outcome: ServerOutcome, done: number) => void;
}

/** Runs mutants in one thread per core; returns their outcomes in order. */
export async function runMutants({
  indexes,
  depth,
  onOutcome = () => {},
}: RunMutantsOptions): Promise<ServerOutcome[]> {
  const outcomes = new Map<number, ServerOutcome>();
  const waiting = [...indexes];
  const thread = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL("worker.ts", import.meta.url), { workerData: { depth } });
      let current = waiting.shift();
      const go = (): void => {
        if (current === undefined) worker.terminate().then(() => resolve(), reject);
        else worker.postMessage(current);
      };
      worker.on("error", reject).on("message", (outcome: ServerOutcome) => {
        if (current !== undefined) outcomes.set(current, outcome);
        onOutcome(outcome, outcomes.size);
        current = waiting.shift();
        go();
      });
      go();
    });
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), indexes.length) }, thread));
  return indexes.flatMap((index) => outcomes.get(index) ?? []);
}
