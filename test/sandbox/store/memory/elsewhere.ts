import { build } from "esbuild";

/** A program that accepts a message with the store in memory and delivers it, as JavaScript without imports; its value is the status. */
export async function storeProgram(): Promise<string> {
  const sandbox = new URL("../../../../sandbox/store/memory/store.ts", import.meta.url).pathname;
  const records = new URL("../records.ts", import.meta.url).pathname;
  const contents = `import { MemoryStore } from ${JSON.stringify(sandbox)};
import { noon, second, sentMessage, taking } from ${JSON.stringify(records)};
globalThis.deliver = async () => {
  const store = new MemoryStore();
  await store.accept(taking([sentMessage("msg_1")]));
  await store.runDue({
    until: noon + 2 * second,
    limit: 10,
    step: (message) => ({ message: { ...message, status: "delivered", dueAt: null } }),
  });
  return (await store.message("acc_one", "msg_1")).status;
};`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: "js" },
    bundle: true,
    write: false,
    format: "iife",
    // An import of a module of Node fails the build.
    platform: "browser",
  });
  return outputFiles[0]?.text ?? "";
}
