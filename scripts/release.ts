import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { UserError } from "../lib/user-error.ts";
import { bundle } from "./bundle.ts";
import type { Comparison } from "./diff/difference.ts";
import { same } from "./diff/found.ts";
import { readSplit } from "./diff/read-split.ts";
import { comparisonText } from "./diff/render.ts";
import { diff } from "./diff.ts";
import type { Node } from "./document/values.ts";
import { root as packageRoot } from "./paths.ts";
import { draftedEntry, entryOf, unnamed, withEntry } from "./release/changelog.ts";
import { byVersion, frozenRelease, frozenText, lastRelease, versionOf } from "./release/releases.ts";
import { withVersion } from "./release/versions.ts";

export interface ReleaseOptions {
  /** The version to release, `1.1.0`. */
  version: string;
  /** The day that the changelog tells, `2026-11-21`. */
  date: string;
  /** The folder of the project, absolute; this one unless told otherwise. */
  root?: string;
}

const git = promisify(execFile);

/**
 * Makes a release: compares the document with the last one, freezes it under `openapi/releases/`, writes what differs
 * into the changelog unless a person has done so, and sets the versions. Nothing is written before all is checked.
 *
 * @returns the files that were written, relative to the folder
 * @throws Failure that says what stands in the way
 */
export async function release({ version, date, root = packageRoot }: ReleaseOptions): Promise<string[]> {
  const releases = join(root, "openapi/releases");
  const last = await lastRelease(releases);
  mustFollow(version, last);
  await mustBeClean(root);
  const source = join(root, "openapi/openapi.yaml");
  const planned = released(await readSplit(source), version);
  const comparison =
    last === undefined ? undefined : await diff(await frozenRelease(last, releases), planned);
  if (comparison !== undefined && last !== undefined) mustBeAllowed(comparison, last, version);
  const changelog = await readFile(join(root, "docs/changelog.md"), "utf8");
  const entry = entryOf(changelog, version);
  const differences = comparison?.differences ?? [];
  if (entry !== undefined) mustNameAll(entry, differences, version);
  // What is frozen is what others bundle, key by key in the same order.
  const document = released((await bundle(source)) as unknown as Node, version);
  if (!same(document, planned)) throw new Error("the document changed while it was compared");
  const files = new Map<string, string>();
  files.set(`openapi/releases/${version}.json`, frozenText(document));
  if (entry === undefined)
    files.set("docs/changelog.md", withEntry(changelog, draftedEntry(version, date, differences)));
  for (const file of ["openapi/openapi.yaml", "package.json", "package-lock.json", "client/package.json"]) {
    if (!existsSync(join(root, file))) continue;
    const text = await readFile(join(root, file), "utf8");
    files.set(file, withVersion(file, text, version));
  }
  for (const [file, text] of files) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  }
  return [...files.keys()];
}

const released = (document: Node, version: string): Node => ({
  ...document,
  info: { ...(document.info as Node), version },
});

function mustFollow(text: string, last: string | undefined): void {
  const version = versionOf(text);
  const hint = `Give three numbers${last === undefined ? "" : ` above ${last}`}: npm run release -- 1.2.3`;
  if (version === undefined) throw new UserError(`this is no version: ${text}`, { hint, exitCode: 2 });
  const before = last === undefined ? undefined : versionOf(last);
  if (before !== undefined && byVersion(version, before) <= 0) {
    throw new UserError(`${text} does not come after the last release, ${last}`, { hint, exitCode: 2 });
  }
  if (before !== undefined && version[0] !== before[0]) {
    throw new UserError(`${text} would be a new version of the API`, {
      hint: "A new version gets a prefix and a document of its own; this one stays (Versioning 4).",
      exitCode: 2,
    });
  }
}

/** What is released is what is committed; only the entry of the changelog may be under way. */
async function mustBeClean(root: string): Promise<void> {
  const { stdout } = await git("git", ["status", "--porcelain"], { cwd: root });
  const changed = stdout.split("\n").filter((line) => line !== "" && line.slice(3) !== "docs/changelog.md");
  if (changed.length === 0) return;
  const names = changed.slice(0, 5).map((line) => line.slice(3));
  const more = changed.length > 5 ? ` and ${changed.length - 5} more` : "";
  throw new UserError(`there is work that is not committed: ${names.join(", ")}${more}`, {
    hint: "Commit it first. Only docs/changelog.md may differ.",
    exitCode: 2,
  });
}

function mustBeAllowed(comparison: Comparison, last: string, version: string): void {
  const { counts } = comparison;
  if (counts.breaking > 0) {
    const text = comparisonText({ ...comparison, old: last, new: version }, { isShort: true });
    throw new UserError(`the document breaks what ${last} promises\n\n${text}`, {
      hint: "Take back what is breaking, or publish a new version of the API (Versioning 4).",
    });
  }
  const [before, after] = [versionOf(last), versionOf(version)];
  if (counts.allowed > 0 && before?.[1] === after?.[1]) {
    throw new UserError(`${version} would be a correction of ${last}, and something was added`, {
      hint: `Take ${before?.[0]}.${(before?.[1] ?? 0) + 1}.0.`,
    });
  }
}

function mustNameAll(entry: string, differences: Comparison["differences"], version: string): void {
  const missing = unnamed(entry, differences);
  if (missing.length === 0) return;
  const rows = missing.map(({ pointer, what }) => `  ${pointer}: ${what}`);
  throw new UserError(`docs/changelog.md does not name every difference of ${version}:\n${rows.join("\n")}`, {
    hint: "Name each by its pointer in backticks; or take the entry out, and it is drafted for you.",
  });
}

/** The verb `release`: makes a release, and says what is left to do. */
export async function runRelease(version: string): Promise<number> {
  const files = await release({ version, date: new Date().toISOString().slice(0, 10) });
  for (const file of files) console.log(`written  ${file}`);
  console.log("\nLeft to do: polish the entry in docs/changelog.md, run `npm run generate`, commit,");
  console.log(`and tag the commit: git tag v${version}`);
  return 0;
}
