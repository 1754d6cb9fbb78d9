import { execFileSync } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openapiFolder, root } from "../../scripts/common/paths.ts";
import { diff } from "../../scripts/diff/documents.ts";
import { frozenRelease, frozenVersions } from "../../scripts/diff/inputs.ts";
import { entryOf, missingFrom, release, runRelease } from "../../scripts/release/release.ts";
import { temporaryFolder } from "../temporary-folder.ts";

test("the changelog has an entry for every release, and each names every difference", async () => {
  const changelog = await readFile(join(root, "docs/changelog.md"), "utf8");
  const versions = await frozenVersions();
  expect(versions[0]).toBe("1.0.0");
  for (const [index, version] of versions.entries()) {
    const entry = entryOf(changelog, version);
    expect(entry, version).toBeDefined();
    const before = versions[index - 1];
    if (before === undefined) continue;
    const { differences, counts } = diff(await frozenRelease(before), await frozenRelease(version));
    expect(counts.breaking, version).toBe(0);
    expect(missingFrom(entry ?? "", differences).map(({ pointer }) => pointer)).toEqual([]);
  }
});

/** A project with a copy of the contract, in a folder of a repository. */
const repository = temporaryFolder(afterAll);
const project = join(repository, "api");
const date = "2026-12-01";
const git = (...args: string[]): void => {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  execFileSync("git", [...identity, ...args], { cwd: project, stdio: "ignore" });
};
const at = (file: string): string => join(project, file);
const change = async (file: string, from: string, to: string): Promise<void> => {
  const text = await readFile(at(file), "utf8");
  expect(text).toContain(from);
  await writeFile(at(file), text.replace(from, to));
};

/** A guide that names both packages and their files. */
const install = (version: string): string =>
  ["client", "contract"]
    .map((name) => `email-api-${name} ${version}: npm install ./email-api-${name}-${version}.tgz\n`)
    .join("");

beforeAll(async () => {
  await cp(openapiFolder, at("openapi"), { recursive: true });
  await Promise.all(["client", "docs"].map((folder) => mkdir(at(folder))));
  for (const file of ["package.json", "package-lock.json", "client/package.json"])
    await cp(join(root, file), at(file));
  await writeFile(join(repository, "notes.txt"), "Not a part of the project.");
  await writeFile(at("docs/downloads.md"), install("1.0.0"));
  await writeFile(at("docs/changelog.md"), "# Changelog\n\n## 1.0.0\n\nThe first release.\n");
  git("init", "--quiet", repository);
  git("add", ".");
  git("commit", "--quiet", "-m", "One");
});

test.each(["1.0", "v1.1.0", "1.0.0", "0.9.0", "2.0.0"])(
  "%s is rejected as the next version",
  async (version) => {
    await expect(release({ version, date, root: project })).rejects.toMatchObject({ exitCode: 2 });
  },
);

test("a release is checked and frozen, with its changelog entry and all versions", async () => {
  const subject = "openapi/schemas/Subject.yaml";
  await change(subject, "maxLength: 998", "maxLength: 1998");
  await expect(release({ version: "1.1.0", date, root: project })).rejects.toThrow(
    /uncommitted changes: openapi/,
  );
  git("commit", "--quiet", "-am", "Two");
  await expect(release({ version: "1.0.1", date, root: project })).rejects.toThrow(
    /there are additive changes/,
  );

  await change("docs/changelog.md", "## 1.0.0", "## 1.1.0\n\nNothing of note.\n\n## 1.0.0");
  await expect(release({ version: "1.1.0", date, root: project })).rejects.toThrow(
    /the entry of 1\.1\.0 in docs\/changelog\.md misses differences\n\n(?:.*\n)*?.*\/openapi\/schemas\/Subject\.yaml:\d+:1 .*\n.*\n {2}at \/components\/schemas\/Subject\/maxLength\n/,
  );
  git("checkout", "--quiet", "docs/changelog.md");

  const files = await release({ version: "1.1.0", date, root: project });
  expect(files).toEqual([
    "openapi/releases/1.1.0.json",
    "docs/changelog.md",
    "openapi/openapi.yaml",
    "package.json",
    "package-lock.json",
    "client/package.json",
    "docs/downloads.md",
  ]);
  expect(await readFile(at("docs/downloads.md"), "utf8")).toBe(install("1.1.0"));
  const changelog = await readFile(at("docs/changelog.md"), "utf8");
  expect(changelog.indexOf("## 1.1.0 (2026-12-01)")).toBeLessThan(changelog.indexOf("## 1.0.0"));
  expect(changelog).toContain("`/components/schemas/Subject/maxLength` ([VER-6](versioning.md#rules))");
  for (const file of ["package.json", "client/package.json"])
    expect(JSON.parse(await readFile(at(file), "utf8"))).toMatchObject({ version: "1.1.0" });
  expect(await readFile(at("openapi/openapi.yaml"), "utf8")).toMatch(/^ {2}version: 1\.1\.0$/m);
  const frozen = await frozenRelease("1.1.0", at("openapi/releases"));
  expect(frozen.info).toMatchObject({ version: "1.1.0" });

  git("add", ".");
  git("commit", "--quiet", "-m", "Three");
  await expect(release({ version: "1.2.0", date, root: project })).rejects.toMatchObject({
    message: "there are no differences from the latest release, 1.1.0",
    exitCode: 2,
  });
  await change(subject, "description: ", "description: Edited. ");
  git("commit", "--quiet", "-am", "Editorial");
  await expect(release({ version: "1.2.0", date, root: project })).rejects.toMatchObject({
    message: "1.2.0 is no patch of 1.1.0, but all changes are editorial",
    hint: "Release 1.1.1.",
  });
  await change(subject, "maxLength: 1998", "maxLength: 98");
  git("commit", "--quiet", "-am", "Four");
  await expect(release({ version: "1.2.0", date, root: project })).rejects.toThrow(
    /breaking changes since 1\.1\.0\n\n.*\/openapi\/schemas\/Subject\.yaml:\d+:1 .*\n(.*\n)+ {2}operations: sendEmail, sendBatch\n/,
  );
});

test("files that cannot be searched stop a release", async () => {
  git("config", "grep.threads", "many");
  await expect(release({ version: "1.3.0", date, root: project })).rejects.toThrow(
    /bad numeric config value/,
  );
  git("config", "--unset", "grep.threads");
});

test("a document with lint findings, or other generated files, is not released", async () => {
  await cp(join(root, "generated"), at("generated"), { recursive: true });
  git("reset", "--quiet", "--hard", "HEAD");
  const subject = "openapi/schemas/Subject.yaml";
  await expect(runRelease("1.3.0", { root: project })).rejects.toThrow(/^generated\/ is stale: /);
  await change(subject, "type: string", "type: string\nnullable: true");
  await expect(runRelease("1.3.0", { root: project })).rejects.toThrow(
    /^the document has lint findings\n\n(.*\n)*.*Subject\.yaml:\d+:\d+ {2}error/,
  );
  expect(await frozenVersions(at("openapi/releases"))).not.toContain("1.3.0");
});
