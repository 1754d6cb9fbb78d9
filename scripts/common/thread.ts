import { once } from "node:events";
import { Worker } from "node:worker_threads";

/**
 * Starts a server in a thread of its own, whose file posts `ready` once it listens, and closes the server after a message.
 * @param write takes what the thread prints; default: nothing does
 * @returns what it posted; `ended`, which rejects with the error that ends the thread; and `close`, which may be called more than once
 * @throws the error that ends the thread before
 */
export async function startInThread<Ready>(file: URL, options: unknown, write = (_: string) => {}) {
  const thread = new Worker(file, { workerData: options, stdout: true });
  thread.stdout.setEncoding("utf8").on("data", write);
  const ended = once(thread, "exit");
  const early = ended.then(() => {
    throw new Error("it ended before it listened");
  });
  const [ready] = (await Promise.race([once(thread, "message"), early])) as [Ready];
  const close = async (): Promise<void> => {
    thread.postMessage("close");
    await ended.catch(() => {});
  };
  return { ready, ended, close };
}
