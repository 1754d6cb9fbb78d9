import { parentPort, workerData } from "node:worker_threads";
import { runSuite } from "./run.ts";

// Runs the contract suite against all its URLs at once.
parentPort?.postMessage(await Promise.all((workerData as string[]).map(runSuite)));
