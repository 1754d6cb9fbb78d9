import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../scripts/common/paths.ts";

/** The oldest and the newest compiler that the types are for, by their folders in `node_modules`. */
export const compilers = {
  "TypeScript 5.9": "typescript",
  "TypeScript 7": "typescript7",
};
export type Compiler = keyof typeof compilers;

/**
 * Compiles a folder with a configuration, without writing.
 *
 * @returns what the compiler says; empty when all is well
 */
export async function compile(compiler: Compiler, folder: string, configuration: object): Promise<string> {
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(configuration));
  const program = join(root, "node_modules", compilers[compiler], "bin/tsc");
  const words = [program, "--noEmit", "--pretty", "false", "-p", folder];
  return promisify(execFile)(process.execPath, words, { cwd: root }).then(
    ({ stdout, stderr }) => stdout + stderr,
    // A compiler that ended badly without a word has not found that all is well.
    (reason: Error & { stdout?: string; stderr?: string }) =>
      `${reason.stdout ?? ""}${reason.stderr ?? ""}` || reason.message,
  );
}
