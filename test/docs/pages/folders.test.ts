import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inFolderOfItsOwn, putInPlace } from "../../../scripts/docs/folders.ts";
import { root } from "../../../scripts/paths.ts";

let parent: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "folders-"));
});
afterAll(() => rm(parent, { recursive: true, force: true }));

async function folderWith(name: string, words: string): Promise<string> {
  const folder = join(parent, name);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "page.html"), words);
  return folder;
}

test("a folder for a piece of work is gone when the work fails", async () => {
  let folder = "";
  const work = inFolderOfItsOwn(parent, async (given) => {
    folder = given;
    await writeFile(join(given, "half-done"), "");
    throw new Error("no more");
  });
  await expect(work).rejects.toThrow("no more");
  expect(folder).toContain(parent);
  expect(existsSync(folder)).toBe(false);
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("it is gone after %s too", async (signal, wanted) => {
  const place = join(parent, signal);
  const program = `
    import { inFolderOfItsOwn } from ${JSON.stringify(join(root, "scripts/docs/folders.ts"))};
    setInterval(() => {}, 1000);
    await inFolderOfItsOwn(${JSON.stringify(place)}, (folder) => { console.log(folder); return new Promise(() => {}); });`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program]);
  const complaint = text(child.stderr);
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  expect(existsSync(String(said).trim())).toBe(true);
  child.kill(signal);
  const [status] = await once(child, "exit");
  expect({ status, complaint: await complaint }).toEqual({ status: wanted, complaint: "" });
  expect(await readdir(place)).toEqual([]);
});

test("a folder takes the place of the one before", async () => {
  const place = await folderWith("site", "old");
  await putInPlace(await folderWith("new", "new"), place, await folderWith("aside", ""));
  expect(await readFile(join(place, "page.html"), "utf8")).toBe("new");
});

test("of many that are put in one place at once, one stays and none fails", async () => {
  const place = join(parent, "wanted");
  const names = ["a", "b", "c", "d"];
  await Promise.all(
    names.map(async (name) =>
      putInPlace(await folderWith(name, name), place, await folderWith(`${name}-aside`, "")),
    ),
  );
  expect(names).toContain(await readFile(join(place, "page.html"), "utf8"));
});
