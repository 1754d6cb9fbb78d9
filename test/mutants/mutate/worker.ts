import { parentPort, workerData } from "node:worker_threads";
import { allMutants } from "../all-mutants.ts";
import { type Depth, runMutant } from "./outcome.ts";

const { depth } = workerData as { depth: Depth };
const faults = await allMutants();

/** Runs the mutants whose indexes it receives. */
parentPort?.on("message", async (index: number) => {
  const fault = faults[index];
  if (fault === undefined) throw new Error(`There is no mutant ${index}.`);
  parentPort?.postMessage(await runMutant(fault, depth));
});
