import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { root } from "../../scripts/common/paths.ts";

/** Runs work on a copy of the project. Folders that `start` writes to or that import from them are copied, the others linked. */
export async function onProject<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "email-api-project-"));
  try {
    for (const name of ["openapi", "scripts", "lib", "generated"])
      await cp(join(root, name), join(folder, name), { recursive: true });
    for (const name of ["package.json", "package-lock.json", "node_modules", "contract", "sandbox", "test"])
      await symlink(join(root, name), join(folder, name));
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

// Compiled code of a copy that is removed afterwards would only fill the cache.
const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: "1" };

/** Runs the command `start` of a copy. */
export const start = (folder: string): Promise<{ status: unknown; out: string; err: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, ["scripts/cli.ts", "start"], { cwd: folder, env }, (error, out, err) =>
      resolve({
        status: error?.code ?? 0,
        out: stripVTControlCharacters(out),
        err: stripVTControlCharacters(err),
      }),
    );
  });
