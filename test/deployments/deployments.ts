import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSandbox } from "../../sandbox/index.ts";
import { testedSandbox } from "../../scripts/contract/targets.ts";
import { startProxy } from "./proxy.ts";

/** A running sandbox, or several instances of one. */
export interface Deployment {
  url: string;
  close(): Promise<void>;
}

async function inFolder(start: (folder: string) => Promise<Deployment>): Promise<Deployment> {
  const folder = mkdtempSync(join(tmpdir(), "sandbox-stores-"));
  const { url, close } = await start(folder);
  return {
    url,
    async close() {
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function instances(count: number, data: string): Promise<Deployment> {
  const options = { ...testedSandbox(), data };
  const first = await startSandbox(options);
  // The database may have data.
  await first.reset();
  const others = await Promise.all(Array.from({ length: count - 1 }, () => startSandbox(options)));
  const all = [first, ...others];
  const proxy = await startProxy(all.map(({ url }) => url));
  return {
    url: proxy.url,
    async close() {
      await proxy.close();
      await Promise.all(all.map((sandbox) => sandbox.close()));
    },
  };
}

/** Where the contract suite runs, by name. */
export const deployments: Readonly<Record<string, (databaseUrl: string) => Promise<Deployment>>> = {
  memory: () => startSandbox(testedSandbox()),
  sqlite: () => inFolder((data) => startSandbox({ ...testedSandbox(), data })),
  postgres: (data) => startSandbox({ ...testedSandbox(), data }),
  "two instances on postgres, in turn": (data) => instances(2, data),
};
