import { parentPort, workerData } from "node:worker_threads";
import { allMutants } from "../mutants/all-mutants.ts";
import { observeMutant, type Workload } from "./kills.ts";

const { workload } = workerData as { workload: Workload };
const mutants = await allMutants();

/** Runs the mutants whose indexes it receives. */
parentPort?.on("message", async (index: number) => {
  const mutant = mutants[index];
  if (mutant === undefined) throw new Error(`There is no mutant ${index}.`);
  parentPort?.postMessage(await observeMutant(mutant, workload));
});
