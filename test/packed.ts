import { execFile } from "node:child_process";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { inject } from "vitest";
import { root } from "../scripts/common/paths.ts";

const run = promisify(execFile);

/**
 * Unpacks the packed project into a folder. The first test of a run that asks packs it; two at the same time would remove each other's `dist/`.
 *
 * @param into the absolute path of the new folder
 */
export async function unpackProject(into: string): Promise<void> {
  await mkdir(into, { recursive: true });
  await run("tar", ["-xzf", await packedProject(), "-C", into, "--strip-components=1"]);
}

/** @returns the path of the tarball */
export async function packedProject(): Promise<string> {
  const folder = join(inject("packed"), "project");
  const isFirst = await mkdir(`${folder}-begun`).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    await run("npm", ["pack", "--silent", "--pack-destination", inject("packed")], { cwd: root });
    await mkdir(folder);
  }
  // The folder says that the tarball is complete. A test that waits in vain ends with its own timeout.
  while (!(await readdir(inject("packed"))).includes("project")) await wait(100);
  const tarball = (await readdir(inject("packed"))).find((name) => name.endsWith(".tgz")) ?? "";
  return join(inject("packed"), tarball);
}
