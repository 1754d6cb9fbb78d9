import { parentPort, workerData } from "node:worker_threads";
import { allMutants } from "../all-mutants.ts";
import { type Depth, runMutant } from "./outcome.ts";

const { depth } = workerData as { depth: Depth };
const faults = await allMutants();

/** Tries the faults whose places it is told, one after another, and tells what became of each. */
parentPort?.on("message", async (index: number) => {
  const fault = faults[index];
  if (fault === undefined) throw new Error(`There is no fault ${index}.`);
  parentPort?.postMessage(await runMutant(fault, depth));
});
