// The thread of a sandbox under test: the suite and its server use a core each.
import { parentPort, workerData } from "node:worker_threads";
import { startSandbox } from "../../sandbox/index.ts";

const { url, close } = await startSandbox(workerData);
parentPort?.once("message", async () => {
  await close();
  parentPort?.close();
});
parentPort?.postMessage(url);
