import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../sample.ts";

const nobody = 65_534;

test("a data folder that cannot be used is rejected, with the reason", ({ skip }) => {
  if (process.getuid === undefined) skip("this system has no rights of files that Node can take away");
  const root = temporaryFolder();
  chmodSync(root, 0o755);
  const rights = { closed: 0o000, unlisted: 0o300, readOnly: 0o500 };
  const folders = Object.entries(rights).map(([name, mode]) => {
    const folder = join(root, name);
    mkdirSync(folder);
    if (process.getuid?.() === 0) chownSync(folder, nobody, nobody);
    chmodSync(folder, mode);
    return folder;
  });
  const file = join(root, "file");
  writeFileSync(file, "");
  const child = fileURLToPath(new URL("./unprivileged.ts", import.meta.url));
  const read = execFileSync(process.execPath, [child, ...folders, file], { encoding: "utf8" });
  const [closed, unlisted, readOnly] = folders;
  expect(read.trim().split("\n")).toEqual([
    expect.stringContaining(`the data folder ${closed} is not readable`),
    expect.stringContaining(`the data folder ${unlisted} is not readable`),
    expect.stringContaining(`the data folder ${readOnly} is not writable`),
    expect.stringContaining(`the data folder ${file} is not a folder, but a file`),
  ]);
});
