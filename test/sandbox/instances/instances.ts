import { onTestFinished } from "vitest";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../../sandbox/index.ts";
import { caller } from "../rig.ts";
import { newDatabase } from "../store/postgres/cluster.ts";

/** An instance of this process, with requests whose responses are validated against the contract. */
export interface Instance {
  sandbox: Sandbox;
  call: ReturnType<typeof caller>;
}

export async function startInstance(options: SandboxOptions): Promise<Instance> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return { sandbox, call: caller((path, init) => fetch(sandbox.url + path, init)) };
}

/** Two instances on a database of the test. */
export async function startTwo(options: SandboxOptions = {}): Promise<[Instance, Instance, data: string]> {
  const data = options.data ?? (await newDatabase());
  const one = await startInstance({ ...options, data });
  return [one, await startInstance({ ...options, data }), data];
}
