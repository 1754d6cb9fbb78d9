import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundle } from "../../scripts/bundle/bundle.ts";
import { root } from "../../scripts/common/paths.ts";
import { release } from "../../scripts/release/release.ts";
import { sampleFolder } from "../scripts/copies.ts";
import { temporaryFolder } from "../temporary-folder.ts";

// A release that is killed, or started twice, in a project with a small document.
const project = temporaryFolder(afterAll);
const at = (file: string): string => join(project, file);
const options = { version: "1.1.0", date: "2026-12-01", root: project };
const git = (...args: string[]): string => execFileSync("git", args, { cwd: project, encoding: "utf8" });
const files = ["openapi/releases/1.1.0.json", "docs/changelog.md", "openapi/openapi.yaml", "package.json"];
/** The text of each file before the release and after it. */
const before = new Map<string, string>();
const after = new Map<string, string>();
const textOf = (file: string): Promise<string> => readFile(at(file), "utf8").catch(() => "");
const reset = (): void => {
  git("reset", "--quiet", "--hard");
  git("clean", "--quiet", "-fd");
};

beforeAll(async () => {
  await cp(sampleFolder, at("openapi"), { recursive: true });
  await Promise.all(["docs", "openapi/releases"].map((folder) => mkdir(at(folder))));
  const document = await bundle(at("openapi/openapi.yaml"));
  document.info.version = "1.0.0";
  delete document.paths["/api/v1/notes/list"];
  await writeFile(at("openapi/releases/1.0.0.json"), JSON.stringify(document));
  await writeFile(at("docs/changelog.md"), "# Changelog\n\n## 1.0.0\n\nThe first release.\n");
  await writeFile(at("package.json"), '{\n  "name": "sample",\n  "version": "1.0.0"\n}\n');
  git("init", "--quiet");
  git("config", "user.name", "Test");
  git("config", "user.email", "test@example.com");
  git("add", ".");
  git("commit", "--quiet", "-m", "One");
  for (const file of files) before.set(file, await textOf(file));
  await release(options);
  for (const file of files) after.set(file, await textOf(file));
  reset();
});

test.each([...files.keys()])(
  "with the first %i files written, the same command completes the release",
  async (count) => {
    reset();
    for (const file of files.slice(0, count)) await writeFile(at(file), after.get(file) ?? "");
    const rest = files[count] ?? "";
    await mkdir(dirname(at(rest)), { recursive: true });
    await writeFile(at(`${rest}.4711.tmp`), (after.get(rest) ?? "").slice(0, 20));
    await release(options);
    for (const file of files) expect(await textOf(file), file).toBe(after.get(file));
    expect(git("status", "--porcelain", "--untracked-files=all")).not.toContain(".tmp");
    await expect(release(options)).rejects.toMatchObject({
      message: "1.1.0 is released already",
      exitCode: 2,
    });
  },
);

test("what a user changed is not taken for a part of an interrupted release", async () => {
  reset();
  await writeFile(at("package.json"), (after.get("package.json") ?? "").replace("sample", "example"));
  await expect(release(options)).rejects.toThrow(/uncommitted changes: package\.json$/);
});

/** A release in a process of its own. */
const started = (version = options.version) => {
  const script = `import { release } from ${JSON.stringify(join(root, "scripts/release/release.ts"))};
    await release(${JSON.stringify({ ...options, version })});`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let text = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  const ended = once(child, "close").then(([code]) => ({ code, text }));
  return { child, ended };
};

test("killed at any time, a release leaves whole files, and the same command completes it", async () => {
  const start = performance.now();
  reset();
  expect(await started().ended).toMatchObject({ code: 0 });
  const duration = performance.now() - start;
  for (const share of [0.5, 0.7, 0.8, 0.9, 0.95]) {
    reset();
    const { child, ended } = started();
    setTimeout(() => child.kill("SIGKILL"), duration * share);
    await ended;
    for (const file of files) expect([before.get(file), after.get(file)], file).toContain(await textOf(file));
    await release(options).catch((error: Error) => expect(error.message).toBe("1.1.0 is released already"));
    for (const file of files) expect(await textOf(file), file).toBe(after.get(file));
  }
});

test("of two releases at once, one succeeds", async () => {
  reset();
  const results = await Promise.all([started().ended, started().ended]);
  const [failed, ...others] = results.filter(({ code }) => code !== 0);
  expect(others).toEqual([]);
  // The other one may have ended before this one began.
  expect(failed?.text).toMatch(/another release is running|1\.1\.0 is released already/);
  for (const file of files) expect(await textOf(file), file).toBe(after.get(file));
});
