import { parentPort, workerData } from "node:worker_threads";
import { runSuite } from "./run.ts";

/** Of each run: there are many. */
const concurrency = 4;

// Runs the contract suite against all its URLs at once.
const urls = workerData as string[];
parentPort?.postMessage(await Promise.all(urls.map((url) => runSuite(url, concurrency))));
