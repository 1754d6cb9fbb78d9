import { rmSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { constants } from "node:os";
import { dirname, join } from "node:path";

const signals = ["SIGINT", "SIGTERM"] as const;

/**
 * Runs `work` with a temporary folder, which is removed afterwards, also after an error, SIGINT or SIGTERM.
 *
 * @param parent absolute path of the folder to create it in
 */
export async function withTemporaryFolder<Result>(
  parent: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
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
 * Moves a folder to `target`, replacing what is there. Concurrent calls for one target do not fail; one of them wins.
 *
 * @param aside a folder on the same disk, for the previous content of `target`
 */
export async function replaceFolder(folder: string, target: string, aside: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  for (let attempts = 5; ; attempts -= 1) {
    await rename(target, join(aside, `before-${attempts}`)).catch(ignore("ENOENT"));
    try {
      return await rename(folder, target);
    } catch (error) {
      if (attempts === 0) throw error;
      // A concurrent call replaced the target in between.
      ignore("ENOTEMPTY", "EEXIST")(error);
    }
  }
}

const ignore =
  (...codes: string[]) =>
  (error: unknown): void => {
    if (!codes.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  };
