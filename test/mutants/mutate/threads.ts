import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

interface RunInThreadsOptions<Outcome> {
  /** A module that posts an outcome for each index that it receives. */
  worker: URL;
  workerData: object;
  indexes: readonly number[];
  /** Called after each index. */
  onOutcome?: (outcome: Outcome, done: number) => void;
}

/** Works on indexes in one thread per core; returns the outcomes in order. */
export async function runInThreads<Outcome>({
  worker: module,
  workerData,
  indexes,
  onOutcome = () => {},
}: RunInThreadsOptions<Outcome>): Promise<Outcome[]> {
  const outcomes = new Map<number, Outcome>();
  const waiting = [...indexes];
  const thread = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(module, { workerData });
      let current = waiting.shift();
      const next = (): void => {
        if (current === undefined) worker.terminate().then(() => resolve(), reject);
        else worker.postMessage(current);
      };
      worker.on("error", reject).on("message", (outcome: Outcome) => {
        if (current !== undefined) outcomes.set(current, outcome);
        onOutcome(outcome, outcomes.size);
        current = waiting.shift();
        next();
      });
      next();
    });
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), indexes.length) }, thread));
  return indexes.flatMap((index) => outcomes.get(index) ?? []);
}
