import { rmSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { constants } from "node:os";
import { dirname, join } from "node:path";

const signals = ["SIGINT", "SIGTERM"] as const;

/**
 * Does a piece of work in a folder of its own, which is gone afterwards, whether the work ends, fails or is interrupted.
 *
 * @param parent where the folder is made, absolute
 * @param work what is done with the folder, given by its absolute path
 */
export async function inFolderOfItsOwn<Result>(
  parent: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, "site-"));
  const leave = (signal: (typeof signals)[number]): never => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    // What shells say of a program that a signal ended.
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of signals) process.once(signal, leave);
  try {
    return await work(folder);
  } finally {
    for (const signal of signals) process.off(signal, leave);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Puts a folder in the place of another. Of two that are put there at once, one stays and nothing fails.
 *
 * @param folder what is moved, absolute, on the same disk as its place
 * @param place where it belongs, absolute; what stood there is moved into `aside`
 * @param aside a folder for what stood there
 */
export async function putInPlace(folder: string, place: string, aside: string): Promise<void> {
  await mkdir(dirname(place), { recursive: true });
  for (let left = 5; ; left -= 1) {
    await rename(place, join(aside, `before-${left}`)).catch(unless("ENOENT"));
    try {
      await rename(folder, place);
      return;
    } catch (error) {
      // Another one came in between.
      if (left === 0) throw error;
      unless("ENOTEMPTY", "EEXIST")(error);
    }
  }
}

/** Passes over an error of the file system that has one of these codes. */
const unless =
  (...codes: string[]) =>
  (error: unknown): void => {
    if (!codes.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  };
