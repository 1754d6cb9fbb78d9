import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { inShort } from "../../contract/text.ts";
import { compareChanges, writeChanges } from "../../lib/files.ts";
import { printLine } from "../../lib/print.ts";
import { capitalized } from "../../lib/text.ts";
import { UserError, usageError } from "../../lib/user-error.ts";
import { bundle } from "../bundle/bundle.ts";
import { root as projectRoot } from "../common/paths.ts";
import { type Difference, located, verdicts } from "../diff/comparison.ts";
import { diff } from "../diff/documents.ts";
import {
  compareVersions,
  frozenRelease,
  frozenVersions,
  type Git,
  gitIn,
  isVersion,
} from "../diff/inputs.ts";
import { comparisonText, differencesText } from "../diff/render.ts";
import { locator } from "../document/locate.ts";
import type { OpenApiDocument } from "../document/types.ts";
import type { Node } from "../document/values.ts";
import { generate } from "../generate/generate.ts";
import { findingsText } from "../lint/finding.ts";
import { lint } from "../lint/lint.ts";

export interface ReleaseOptions {
  /** The version to release, `1.1.0`. */
  version: string;
  /** The date for the changelog, `2026-11-21`. */
  date: string;
  /** The folder of the project, absolute; default: this one. */
  root?: string;
}

/**
 * Creates a release: compares the document with the latest release, freezes it in `openapi/releases/`, drafts the entry in
 * the changelog unless there is one, and sets the versions. Nothing is written before every check has passed. If the process is
 * killed while it writes, each file is the old or the new one, and the same command completes the release.
 * @returns the files of the release, relative to the folder
 * @throws UserError if a check fails, or another release is running
 */
export async function release({ version, date, root = projectRoot }: ReleaseOptions): Promise<string[]> {
  const git = gitIn(root);
  const gitFolder = (await git("rev-parse", "--absolute-git-dir")).trim();
  const lock = new DatabaseSync(join(gitFolder, "email-api-release"));
  try {
    // The operating system releases this lock however the process ends.
    lock.exec("BEGIN EXCLUSIVE");
    return await releaseAlone({ version, date, root }, git);
  } catch (error) {
    if (!/database is locked/.test(String(error))) throw error;
    throw usageError("another release is running", "Wait until it ends.", error);
  } finally {
    lock.close();
  }
}

async function releaseAlone({ version, date, root }: Required<ReleaseOptions>, git: Git): Promise<string[]> {
  // Relative to this folder, which need not be the top of the repository.
  const changed = [
    await git("diff", "--name-only", "--relative", "--no-renames", "-z", "HEAD"),
    await git("ls-files", "--others", "--exclude-standard", "-z"),
  ].flatMap((list) => list.split("\0").filter(Boolean));
  const frozen = (one: string): string => `openapi/releases/${one}.json`;
  // One that is not committed is that of an attempt that was interrupted.
  const versions = await frozenVersions(join(root, "openapi/releases"));
  const latest = versions.filter((one) => !changed.includes(frozen(one))).at(-1);
  checkVersion(version, latest);
  const files = new Map<string, string>();
  for (const file of ["openapi/openapi.yaml", "package.json", "package-lock.json", "client/package.json"]) {
    const text = await git("show", `HEAD:./${file}`).catch(() => undefined);
    if (text !== undefined) files.set(file, withVersion(file, text, version));
  }
  const naming = ["grep", "-lzIE", namedPackage.source, "HEAD", "--", ":!docs/changelog.md"];
  for (const name of (await git(...naming).catch(emptyIfNone)).split("\0").filter(Boolean)) {
    const text = await git("show", name.replace(":", ":./"));
    files.set(name.replace("HEAD:", ""), text.replaceAll(namedPackage, `$1${version}`));
  }
  const own = [...files.keys(), "docs/changelog.md", frozen(version)];
  const pending = (await compareChanges(root, files)).filter(({ status }) => status !== "unchanged");
  const isOfUser = (file: string): boolean =>
    !own.includes(file.replace(/\.\d+\.tmp$/, "")) || pending.some((one) => one.file === file);
  checkCommitted(changed.filter(isOfUser));
  const bundled = await bundle(join(root, "openapi/openapi.yaml"));
  const document: Node = { ...bundled, info: { ...bundled.info, version } };
  const differences = latest === undefined ? [] : await checkedDifferences(latest, document, version, root);
  const changelog = await readFile(join(root, "docs/changelog.md"), "utf8");
  const entry = entryOf(changelog, version);
  if (entry !== undefined) checkEntry(entry, differences, version);

  const written = new Map([[frozen(version), `${JSON.stringify(document, null, 2)}\n`]]);
  if (entry === undefined)
    written.set("docs/changelog.md", withEntry(changelog, draftedEntry(version, date, differences)));
  // What an interrupted attempt left under other names.
  for (const file of changed.filter((one) => !own.includes(one))) await rm(join(root, file), { force: true });
  const changes = await writeChanges(root, new Map([...written, ...files]));
  if (changes.every(({ status }) => status === "unchanged"))
    throw usageError(`${version} is released already`, `Commit its files, then \`git tag v${version}\`.`);
  return [...written.keys(), ...files.keys()];
}

/** git grep ends with 1 if it finds nothing. */
const emptyIfNone = (error: { code?: unknown }) => (error.code === 1 ? "" : Promise.reject(error));

/** A package with its version, as guides and commands name it and its file. */
const namedPackage = /(email-api-(client|contract)[- ])[0-9]+\.[0-9]+\.[0-9]+/g;

function checkVersion(text: string, latest: string | undefined): void {
  const hint = `Pass three numbers${latest === undefined ? "" : ` above ${latest}`}, such as \`npm run release -- 1.2.3\`.`;
  if (!isVersion(text)) throw usageError(`invalid version: ${text}`, hint);
  if (latest === undefined) return;
  if (compareVersions(text, latest) <= 0)
    throw usageError(`${text} is not above the latest release, ${latest}`, hint);
  if (text.split(".")[0] !== latest.split(".")[0])
    throw usageError(
      `${text} is a new version of the API`,
      "A new version gets a path prefix and a document of its own (see docs/versioning.md).",
    );
}

/** What is released is committed, except for the entry in the changelog and what an interrupted attempt wrote. */
function checkCommitted(changed: string[]): void {
  if (changed.length === 0) return;
  throw usageError(
    `there are uncommitted changes: ${inShort(changed, 5)}`,
    "Commit them first. Only docs/changelog.md may be uncommitted.",
  );
}

/** The differences from the latest release, each with its place in the sources. */
async function checkedDifferences(latest: string, document: Node, version: string, root: string) {
  const found = diff(await frozenRelease(latest, join(root, "openapi/releases")), document);
  const { counts, differences } = await located(found, locator(join(root, "openapi/openapi.yaml")));
  if (counts.breaking > 0) {
    const breaking = differences.filter(({ verdict }) => verdict === "breaking");
    const text = comparisonText({ counts, differences: breaking, base: latest, revision: version });
    throw new UserError(`breaking changes since ${latest}\n\n${text}\n`, {
      hint: "Revert them, or publish a new version of the API (see docs/versioning.md).",
    });
  }
  if (!differences.some(isListed))
    throw usageError(
      `there are no differences from the latest release, ${latest}`,
      "Release a version once the document has changed.",
    );
  const [major, minor, patch] = latest.split(".");
  const isPatch = version.split(".")[1] === minor;
  if (isPatch === counts.additive > 0) {
    const next = isPatch ? `${Number(minor) + 1}.0` : `${minor}.${Number(patch) + 1}`;
    const what = isPatch ? "there are additive changes" : "all changes are editorial";
    throw new UserError(`${version} is ${isPatch ? "a" : "no"} patch of ${latest}, but ${what}`, {
      hint: `Release ${major}.${next}.`,
    });
  }
  return differences;
}

function checkEntry(entry: string, differences: readonly Difference[], version: string): void {
  const missing = missingFrom(entry, differences);
  if (missing.length === 0) return;
  throw new UserError(
    `the entry of ${version} in docs/changelog.md misses differences\n\n${differencesText(missing)}\n`,
    { hint: "Name each by its JSON Pointer in backticks, or remove the entry to get a draft." },
  );
}

/** @throws UserError if the document has lint findings, or `generated/` is not what is generated from it */
async function assertSound(root: string): Promise<void> {
  const source = join(root, "openapi/openapi.yaml");
  const findings = await lint(source);
  if (findings.length > 0)
    throw new UserError(`the document has lint findings\n\n${findingsText(findings)}\n`, {
      hint: "Fix them: `npm run lint` shows what is left.",
    });
  const folder = join(root, "generated");
  const document = await bundle(source);
  // An interrupted attempt may have set the version.
  const { info } = JSON.parse(await readFile(join(folder, "openapi.json"), "utf8")) as OpenApiDocument;
  document.info.version = info.version;
  const changes = await generate({ check: true, document, folder });
  const stale = changes.filter(({ status }) => status !== "unchanged").map(({ file }) => file);
  if (stale.length > 0)
    throw new UserError(`generated/ is stale: ${inShort(stale, 5)}`, {
      hint: "Run `npm run generate`, and commit what it writes.",
    });
}

/** The command `release`: checks the document, creates a release and prints the remaining steps. */
export async function runRelease(version: string, { root = projectRoot } = {}): Promise<number> {
  await assertSound(root);
  const files = await release({ version, date: new Date().toISOString().slice(0, 10), root });
  for (const file of files) printLine(`written  ${file}`);
  printLine("\nNext: edit the entry in docs/changelog.md, run `npm run generate`, commit,");
  printLine(`and tag the commit: git tag v${version}`);
  return 0;
}

/** The entry of a version in the changelog, without its heading; undefined if there is none. */
export function entryOf(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  const found = sections.find((section) => section.split(/[\s\n]/)[0] === version);
  return found?.slice(found.indexOf("\n") + 1);
}

/** The heading of an entry names the version of the document. */
const isListed = ({ pointer }: Difference): boolean => pointer !== "/info/version";

/** The differences that an entry does not name by their JSON Pointer in backticks. */
export const missingFrom = (entry: string, differences: readonly Difference[]): Difference[] =>
  differences.filter((one) => isListed(one) && !entry.includes(`\`${one.pointer}\``));

/** A draft of an entry, which names every difference. */
function draftedEntry(version: string, date: string, differences: readonly Difference[]): string {
  const parts = [`## ${version} (${date})`];
  for (const verdict of verdicts) {
    const rows = differences.filter((one) => one.verdict === verdict && isListed(one));
    if (rows.length > 0) parts.push(`### ${capitalized(verdict)}\n\n${rows.map(line).join("\n")}`);
  }
  return `${parts.join("\n\n")}\n`;
}

const line = ({ message, pointer, requirement }: Difference): string =>
  `- ${message.replace(/\.$/, "").replaceAll(/\s+/g, " ")}: \`${pointer}\` ([${requirement}](versioning.md#rules)).`;

/** The changelog with the entry before all others. */
function withEntry(changelog: string, entry: string): string {
  const first = changelog.search(/^## /m);
  if (first < 0) return `${changelog.trimEnd()}\n\n${entry}`;
  return `${changelog.slice(0, first)}${entry}\n${changelog.slice(first)}`;
}

/** The text of openapi.yaml, package.json or package-lock.json with another version. Throws a UserError if it has none. */
function withVersion(file: string, text: string, version: string): string {
  const places = file.endsWith(".yaml")
    ? [/^( {2}version: )"?[^\s"]+"?$/m]
    : file.endsWith("package-lock.json")
      ? [/^( {2}"version": )"[^"]*"/m, /^( {4}"(?:|client)": \{[^}]*?"version": )"[^"]*"/gm]
      : [/^( {2}"version": )"[^"]*"/m];
  const written = file.endsWith(".yaml") ? version : JSON.stringify(version);
  return places.reduce((changed, place) => {
    if (changed.search(place) < 0) throw usageError(`${file} has no version`);
    return changed.replace(place, (_, before: string) => `${before}${written}`);
  }, text);
}
