import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { root } from "../../../scripts/common/paths.ts";
import { replaceFolder, withTemporaryFolder } from "../../../scripts/docs/folders.ts";
import { serveSite } from "../../../scripts/docs/serve.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const parent = temporaryFolder(afterAll);

async function folderWith(name: string, content: string): Promise<string> {
  const folder = join(parent, name);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "page.html"), content);
  return folder;
}

test("a temporary folder is removed after an error", async () => {
  let folder = "";
  const work = withTemporaryFolder(parent, async (path) => {
    folder = path;
    await writeFile(join(path, "half-done"), "");
    throw new Error("failed");
  });
  await expect(work).rejects.toThrow("failed");
  expect(folder).toContain(parent);
  expect(existsSync(folder)).toBe(false);
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("a temporary folder is removed after %s", async (signal, expected) => {
  const target = join(parent, signal);
  const program = `
    import { withTemporaryFolder } from ${JSON.stringify(join(root, "scripts/docs/folders.ts"))};
    setInterval(() => {}, 1000);
    await withTemporaryFolder(${JSON.stringify(target)}, (folder) => { console.log(folder); return new Promise(() => {}); });`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program]);
  const stderr = text(child.stderr);
  const [output] = (await once(child.stdout, "data")) as [Buffer];
  expect(existsSync(String(output).trim())).toBe(true);
  child.kill(signal);
  const [exitCode] = await once(child, "exit");
  expect({ exitCode, stderr: await stderr }).toEqual({ exitCode: expected, stderr: "" });
  expect(await readdir(target)).toEqual([]);
});

test("a folder replaces the previous one", async () => {
  const target = await folderWith("site", "old");
  replaceFolder(await folderWith("new", "new"), target, await folderWith("aside", ""));
  expect(await readFile(join(target, "page.html"), "utf8")).toBe("new");
});

test("the previous folder stays if the new one cannot be moved", async () => {
  const target = await folderWith("kept", "old");
  const aside = await folderWith("kept-aside", "");
  expect(() => replaceFolder(join(parent, "missing"), target, aside)).toThrow("ENOENT");
  expect(await readFile(join(target, "page.html"), "utf8")).toBe("old");
});

test("a site in a folder with the name public is served: a file with a hash in its name is cached, a page is not", async () => {
  const folder = await folderWith("public", "<p>Errors</p>");
  await folderWith("public/_astro", "");
  await writeFile(join(folder, "_astro/sans.a1b2.woff2"), "font");
  const server = await serveSite({ folder, base: "/mail/", port: 0, host: "127.0.0.1" });
  const get = (path: string) => fetch(`${server.url}${path}`);
  const cachingOf = async (path: string) => (await get(path)).headers.get("cache-control");
  expect(await (await get("page.html")).text()).toContain("Errors");
  expect(await cachingOf("_astro/sans.a1b2.woff2")).toContain("immutable");
  expect(await cachingOf("page.html")).not.toContain("immutable");
  await server.close();
});
