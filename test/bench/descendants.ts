import { readdirSync, readFileSync } from "node:fs";

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
