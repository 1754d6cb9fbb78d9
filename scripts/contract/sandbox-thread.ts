// The thread of a sandbox under test: the suite and its server use a core each.
import { parentPort, workerData } from "node:worker_threads";
import { startSandbox } from "../../sandbox/index.ts";

// Not awaited: the code that started the thread would not get the error of a module that fails.
startSandbox(workerData).then(({ url, close }) => {
  parentPort?.once("message", async () => {
    await close();
    parentPort?.close();
  });
  parentPort?.postMessage(url);
});
