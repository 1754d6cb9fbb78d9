import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import packageJson from "../../package.json" with { type: "json" };

/** What a process has used until now: CPU in microseconds, its largest memory in bytes. */
export interface Usage {
  cpu: number;
  peak: number;
}

/** A process that responds to messages, one at a time. */
export interface Child {
  /** Sends something and waits for the response. */
  ask<Answer>(question: object): Promise<Answer>;
  /** What it said first. */
  url: string;
  stop(): Promise<void>;
}

/** Its first message. @throws Error if it exits before */
const first = (child: ChildProcess): Promise<unknown> =>
  Promise.race([
    next(child),
    once(child, "exit").then(([code]) => {
      throw new Error(`the server exited with ${code}`);
    }),
  ]);

const next = async (child: ChildProcess): Promise<unknown> => (await once(child, "message"))[0];

/**
 * Node's options of `npm run sandbox`: a smaller young generation and one compiler fewer save memory. Earlier collections of the old generation
 * would save more, and take a fifth of the CPU.
 */
const flags = packageJson.scripts.sandbox.split(" ").filter((word) => word.startsWith("--"));

/** Starts a script in a process of its own, and waits until it says where it listens. @param core that it runs on; undefined for any */
export async function startServer(
  script: string,
  parameters: string[] = [],
  core: number | undefined = undefined,
): Promise<Child> {
  const [execPath, ...execArgv] = pinned([process.execPath], core);
  const options = { execPath, execArgv: [...execArgv, ...flags] };
  const child = fork(script, parameters, options);
  const { url } = (await first(child)) as { url: string };
  return { ...talkTo(child), url };
}

function talkTo(process: ChildProcess): Omit<Child, "url"> {
  return {
    async ask<Answer>(question: object) {
      const response = next(process);
      process.send(question);
      return (await response) as Answer;
    },
    async stop() {
      const ended = once(process, "exit");
      process.kill("SIGKILL");
      await ended;
    },
  };
}

/** The server has a core for itself, so that the load generator does not slow it down. */
export const serverCore = availableParallelism() > 1 ? 0 : undefined;
export const loadCore = availableParallelism() > 1 ? 1 : undefined;

/** A command that runs on one core; undefined for any. */
export const pinned = (command: [string, ...string[]], core: number | undefined): [string, ...string[]] =>
  core === undefined ? command : ["taskset", "--cpu-list", String(core), ...command];

/** A process, as in `/proc/<pid>/stat`; CPU in microseconds. */
interface Process {
  pid: number;
  parent: number;
  name: string;
  cpu: number;
}

/** Linux counts the CPU of processes in hundredths of a second. */
const tick = 10_000;

function processes(): Process[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => processAt(Number(pid)) ?? []);
}

/** Undefined if it has ended. */
function processAt(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
    const [, parent, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // With that of its children which have ended.
    const ticks = [9, 10, 11, 12].reduce((sum, field) => sum + Number(rest[field]), 0);
    return { pid, parent: Number(parent), name, cpu: ticks * tick };
  } catch {
    return undefined;
  }
}

/** The CPU that a process has used, in microseconds; 0 if it has ended. */
export const cpuOf = (pid: number): number => processAt(pid)?.cpu ?? 0;

/** The largest memory of a process so far, in bytes; 0 if it has ended. */
export function peakOf(pid: number): number {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** The CPU of all processes of this name that this one has started, directly or not, in microseconds. */
export function cpuOfDescendants(name: string): number {
  const all = processes();
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  const isOurs = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === process.pid || isOurs(parents.get(pid)));
  return all.reduce((sum, one) => sum + (one.name === name && isOurs(one.pid) ? one.cpu : 0), 0);
}
