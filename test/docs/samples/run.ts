import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  RecordingServer,
  type WireExchange,
} from "../../../contract/client-suite/service/recording-server.ts";
import { exampleTime, startSandbox } from "../../../sandbox/index.ts";
import type { Language } from "../../../scripts/docs/samples/languages.ts";
import type { ExampleRequest } from "../../../scripts/document/requests.ts";
import { type Ended, execute, failureOf } from "../../generators/run.ts";
import type { Toolchain } from "./toolchains.ts";

/** How a sample ended, and what the sandbox received and sent. */
export interface Run extends Ended {
  exchanges: WireExchange[];
}

/** What to run. */
interface Batch {
  /** One of each operation. */
  requests: ExampleRequest[];
  /** A folder of their own. */
  folder: string;
  apiKey: string;
}

/** Compiles and runs the samples of requests by operationId, each in a sandbox whose demo accounts are as at the start. */
export async function runSamples(
  { write }: Language,
  toolchain: Toolchain,
  { requests, folder, apiKey }: Batch,
): Promise<Map<string, Run>> {
  const sandbox = await startSandbox({ clock: { frozen: true, startAt: Date.parse(exampleTime) } });
  const server = await RecordingServer.open(sandbox.url);
  try {
    for (const request of requests) {
      const file = join(folder, toolchain.file(request.operationId));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, write(request, server.url) ?? "");
    }
    if (toolchain.prepare !== undefined) await prepare(toolchain.prepare, folder);
    const runs = new Map<string, Run>();
    for (const { operationId } of requests) {
      await sandbox.reset();
      // The sandbox is on this machine: a proxy could not reach it.
      const env = { EMAIL_API_KEY: apiKey, no_proxy: "*" };
      const ended = await execute(toolchain.run(operationId), folder, env);
      runs.set(operationId, { ...ended, exchanges: server.take() });
    }
    return runs;
  } finally {
    await server.close();
    await sandbox.close();
  }
}

async function prepare(line: string, folder: string): Promise<void> {
  const ended = await execute(line, folder);
  if (ended.code !== 0) throw new Error(failureOf(line, folder, ended));
}
