import { constants } from "node:os";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
type Signal = (typeof signals)[number];

/** The leaders of the running process groups. */
const leaders = new Set<number>();

/**
 * Ends a process group at the latest when this process ends, also by a signal. A group of its own gets no signal of the terminal.
 * @param leader the id of its first process
 */
export function endWithThisProcess(leader: number): void {
  if (leaders.size === 0) {
    process.on("exit", killAll);
    for (const signal of signals) process.on(signal, end);
  }
  leaders.add(leader);
}

/** Ends a process group now: the process, and what it has started. */
export function killGroup(leader: number): void {
  try {
    // Windows has no process groups.
    process.kill(process.platform === "win32" ? leader : -leader, "SIGKILL");
  } catch {
    // It has just ended.
  }
}

/** Ends a process group, which no longer ends with this process. */
export function endGroup(leader: number): void {
  killGroup(leader);
  if (!leaders.delete(leader) || leaders.size > 0) return;
  process.off("exit", killAll);
  for (const signal of signals) process.off(signal, end);
}

const killAll = (): void => leaders.forEach(killGroup);

function end(signal: Signal): void {
  killAll();
  // Another listener of the signal decides how this process ends.
  if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
}
