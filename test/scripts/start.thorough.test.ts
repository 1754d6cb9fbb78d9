import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { cp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { root } from "../../scripts/common/paths.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** Every file in the folder, with its modification time. */
const modificationTimes = async (folder: string): Promise<[string, number][]> =>
  Promise.all(
    globSync("**", { cwd: folder })
      .sort()
      .map(async (file): Promise<[string, number]> => [file, (await stat(join(folder, file))).mtimeMs]),
  );

test("start on a broken document reports once what is wrong and where, and writes nothing", async () => {
  await onProject(async (folder) => {
    const broken = join(folder, "openapi/paths/me.yaml");
    await writeFile(broken, (await readFile(broken, "utf8")).replace("Account.yaml", "Acount.yaml"));
    // A missing file would be written by any generation.
    await rm(join(folder, "generated/limits.ts"));
    const before = await modificationTimes(join(folder, "generated"));

    const { status, out, err } = await start(folder);

    expect(status).toBe(1);
    expect(err).toMatch(
      /^error: openapi\/paths\/me\.yaml:\d+:\d+: cannot resolve "\.\.\/schemas\/Acount\.yaml".*\n .*\nhint: .*Nothing was written\.$/m,
    );
    expect((out + err).match(/me\.yaml/g)).toHaveLength(1);
    expect(out).toMatch(/^\S+ Bundle\n$/);
    expect(await modificationTimes(join(folder, "generated"))).toEqual(before);
  });
});

/** Runs work on a copy of the project. Folders that `start` writes to or that import from them are copied, the others linked. */
async function onProject<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = temporaryFolder();
  for (const name of ["openapi", "scripts", "lib", "generated"])
    await cp(join(root, name), join(folder, name), { recursive: true });
  for (const name of ["package.json", "package-lock.json", "node_modules", "contract", "sandbox", "test"])
    await symlink(join(root, name), join(folder, name));
  return work(folder);
}

// Compiled code of a copy that is removed afterwards would only fill the cache.
const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: "1" };

/** Runs the command `start` of a copy. */
const start = (folder: string): Promise<{ status: unknown; out: string; err: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, ["scripts/cli.ts", "start"], { cwd: folder, env }, (error, out, err) =>
      resolve({
        status: error?.code ?? 0,
        out: stripVTControlCharacters(out),
        err: stripVTControlCharacters(err),
      }),
    );
  });
