import { parentPort, workerData } from "node:worker_threads";
import { runSuite } from "./run.ts";

/** Of each run: there are many. */
const concurrency = 2;

// Runs the contract suite against all its URLs at once.
const urls = workerData as string[];
const runs = urls.map((url, index) => runSuite(url, { concurrency, start: index / urls.length }));
parentPort?.postMessage(await Promise.all(runs));
