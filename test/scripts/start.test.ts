import { globSync } from "node:fs";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { onProject, start } from "./project-copy.ts";

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
