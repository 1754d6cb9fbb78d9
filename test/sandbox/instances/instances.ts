import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../../sandbox/index.ts";
import { firstWords } from "../crash/rounds.ts";
import { caller, keys, mail } from "../rig.ts";
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

/** Creates a workspace. @returns its id */
export async function createWorkspace(
  { sandbox }: Pick<Instance, "sandbox">,
  body: object = {},
): Promise<string> {
  const response = await sandbox.fetch("/sandbox/workspaces", { method: "POST", body: JSON.stringify(body) });
  return ((await response.json()) as { id: string }).id;
}

/** An instance in a process of its own, which can be killed. */
export interface OtherProcess {
  url: string;
  child: ChildProcess;
  kill(): Promise<void>;
}

const script = new URL("../crash/instance.ts", import.meta.url).pathname;

/** The options that such an instance has besides its database and its SMTP server. */
export const otherOptions = { requestsPerMinute: 1e9 };

export async function forkInstance(data: string, smtp: string): Promise<OtherProcess> {
  const child = fork(script, [data, smtp], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const ended = once(child, "exit");
  onTestFinished(() => void child.kill("SIGKILL"));
  const { url } = await firstWords(child);
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  return { url, child, kill };
}

/** Sends messages to an instance. @returns their ids */
export async function sendTo(url: string, count: number): Promise<string[]> {
  const headers = { authorization: `Bearer ${keys.all}`, "content-type": "application/json" };
  const sent = Array.from({ length: count }, async () => {
    const body = JSON.stringify(mail());
    const response = await fetch(`${url}/api/v1/emails`, { method: "POST", headers, body });
    return ((await response.json()) as { id: string }).id;
  });
  return Promise.all(sent);
}
