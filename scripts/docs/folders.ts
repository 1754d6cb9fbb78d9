import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { constants } from "node:os";
import { dirname, join } from "node:path";

const signals = ["SIGINT", "SIGTERM"] as const;

/**
 * Runs `work` with a temporary folder, which is removed afterwards, also after an error, SIGINT or SIGTERM.
 * @param parent absolute path of the folder to create it in
 */
export async function withTemporaryFolder<Result>(parent: string, work: (folder: string) => Promise<Result>) {
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, "site-"));
  const interrupt = (signal: (typeof signals)[number]): never => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    // The exit code that shells report for a process that a signal ended.
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of signals) process.once(signal, interrupt);
  try {
    return await work(folder);
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Moves a folder to `target`, replacing what is there. Synchronous: a signal between the two moves would remove the previous
 * content with the temporary folder.
 * @param aside a folder on the same disk, for the previous content of `target`
 */
export function replaceFolder(folder: string, target: string, aside: string): void {
  mkdirSync(dirname(target), { recursive: true });
  const before = join(aside, "before");
  if (existsSync(target)) renameSync(target, before);
  try {
    renameSync(folder, target);
  } catch (error) {
    if (existsSync(before) && !existsSync(target)) renameSync(before, target);
    throw error;
  }
}
