import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { storeProgram } from "./elsewhere.ts";

test("the store in memory runs in a worker, without a module of Node", async () => {
  const program = await storeProgram();
  const source = `${program}; deliver().then((status) => require("node:worker_threads").parentPort.postMessage(status));`;
  const worker = new Worker(source, { eval: true });
  const [status] = await once(worker, "message");
  expect(status).toBe("delivered");
  await worker.terminate();
});
