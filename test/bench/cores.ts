import { availableParallelism } from "node:os";

/** The server has a core for itself, so that the load generator does not slow it down. */
export const serverCore = availableParallelism() > 1 ? 0 : undefined;
export const loadCore = availableParallelism() > 1 ? 1 : undefined;

/** A command that runs on one core; undefined for any. */
export const pinned = (command: [string, ...string[]], core: number | undefined): [string, ...string[]] =>
  core === undefined ? command : ["taskset", "--cpu-list", String(core), ...command];
