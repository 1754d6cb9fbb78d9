import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import packageJson from "../../client/package.json" with { type: "json" };
import { root } from "../../scripts/paths.ts";

const run = promisify(execFile);

describe("the packed client", { timeout: 60_000 }, () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "email-api-client-package-"));
    await run("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: join(root, "client") });
    const [tarball = ""] = await readdir(folder);
    await run("tar", ["-xzf", tarball], { cwd: folder });
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true }));

  test("has nothing that publint would say", async () => {
    const { messages } = await publint({ pkgDir: join(folder, "package"), strict: true });
    expect(messages.map((message) => formatMessage(message, packageJson as never))).toEqual([]);
  });

  test("has types that every resolution finds which knows ES modules", async () => {
    const [tarball = ""] = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
    const attw = join(root, "node_modules/.bin/attw");
    // It ends with another status than 0 when it finds anything.
    const { stdout } = await run(attw, [join(folder, tarball), "--profile", "esm-only"]);
    expect(stdout).toContain("(ESM)");
  });

  test("needs nothing at run time", () => {
    expect(packageJson).not.toHaveProperty("dependencies");
  });
});
