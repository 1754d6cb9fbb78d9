import { execFile } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { dirname, join, posix, relative, resolve, sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { parse } from "yaml";
import { decodeText, displayPath, readText } from "../../lib/files.ts";
import { firstLine } from "../../lib/text.ts";
import { UserError, usageError } from "../../lib/user-error.ts";
import packageJson from "../../package.json" with { type: "json" };
import { generatedFolder, isPackaged, openapiFolder, root, rootDocument } from "../common/paths.ts";
import { pointerOf, valueAtPointer } from "../document/json-pointer.ts";
import { locator, type SourcePlace } from "../document/locate.ts";
import { follow, unresolvedIn } from "../document/references.ts";
import { deepest, isNode, isTooDeep, type Node, textOf } from "../document/values.ts";

/** A document to compare: its bundle, and where its parts are in its sources. */
export interface Input {
  /** How messages name it. */
  label: string;
  document: Node;
  locate(pointer: string): Promise<SourcePlace>;
}

/** The folder that names of files are relative to: the project, or the current one for an installed package. */
const here = isPackaged ? process.cwd() : root;

export interface OpenOptions {
  /** The folder that names of files are relative to, absolute. */
  from?: string;
  /** Follows `$ref`s to other hosts. */
  allowRemote?: boolean;
  /** Reads a file; default: from the disk. */
  read?: typeof readText;
}

/** The document of the working tree; in an installed package, its contract. */
export const defaultRevision = (options: OpenOptions): Promise<Input> =>
  isPackaged
    ? openFile(join(generatedFolder, "openapi.json"), "this contract", options)
    : openFile(rootDocument, "the working tree", options);

/** The latest release, and the first one of its version if that is another one. */
export async function defaultBases(folder: string = releasesFolder): Promise<Promise<Input>[]> {
  const versions = await frozenVersions(folder);
  const latest = versions.at(-1);
  if (latest === undefined)
    throw usageError(
      "openapi/releases/ has no release to compare with",
      "Name the base: `email-api-contract diff BASE [REVISION]`.",
    );
  const first = versions.find((version) => version.split(".")[0] === latest.split(".")[0]) ?? latest;
  return [...new Set([latest, first])].map((version) => openFile(releaseFile(version, folder), version));
}

/**
 * Opens what an argument names: a file, else a release, else a git revision (`v1.0.0` or `v1.0.0:api/openapi.yaml`).
 * @throws UserError with exit code 2 if it is none of these or not an OpenAPI document
 */
export async function openInput(name: string, options: OpenOptions = {}): Promise<Input> {
  if (statSync(name, { throwIfNoEntry: false })?.isFile()) return openFile(resolve(name), name, options);
  if ((await frozenVersions()).includes(name)) return openFile(releaseFile(name), name, options);
  return openRevision(name, options);
}

/** Reads the root file, and others in its repository (without one: in its folder) that have an end, unlike devices and pipes. */
function readerFor(rootFile: string): typeof readText {
  const top = repositoryRoot(dirname(rootFile), dirname(rootFile)).then((path) => realpath(path));
  return async (path) => {
    const [real, found, place] = await Promise.all([realpath(path), stat(path), top]);
    if (path !== rootFile && displayPath(real, place) === real) throw new Error(`it is outside of ${place}`);
    if (!found.isFile() || found.size > 2 ** 26) throw new Error("it is not a file of at most 64 MB");
    return readText(path);
  };
}

async function openFile(file: string, label: string, options: OpenOptions = {}): Promise<Input> {
  try {
    const { read = readerFor(file) } = options;
    const value = await readDocument(file, read);
    const merging = isSplit(value) && mergedFiles(file, value, { ...options, read }).catch(notMerged);
    const { document, files } = (await merging) || { document: value, files: [] };
    const find = locator(file, files, read);
    const locate = async (pointer: string): Promise<SourcePlace> => {
      const place = await find(pointer);
      return { ...place, file: shownFile(resolve(root, place.file), options.from) };
    };
    for (const { path, text } of unresolvedIn(document)) {
      const { file: name, line, column } = await locate(pointerOf(path));
      const last = textOf(follow(document, [], { $ref: text }).value.$ref);
      const problem = isNode(valueAtPointer(document, last))
        ? "there is a cycle of $refs in"
        : "cannot resolve";
      throw usageError(`${name}:${line}:${column}: ${problem} "${text}" at ${pointerOf(path)}`, fixHint);
    }
    return { label, document, locate };
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(file);
    if (!(error instanceof UserError)) throw error;
    // Whatever is wrong with a document, it cannot be compared.
    throw usageError(error.message, error.hint, error);
  }
}

/** What to do about an unresolved `$ref`. */
const fixHint = "Fix that line, or name another document.";

const isSplit = (document: Node): boolean => /"\$ref":"[^#"]/.test(JSON.stringify(document));

/** A split document as one, and its files. */
async function mergedFiles(file: string, value: Node, { allowRemote = false, read }: OpenOptions) {
  const { mergeFiles } = await import("../bundle/merge.ts").catch((cause: unknown) => {
    const name = "@redocly/openapi-core";
    throw usageError(
      `${shownFile(file)} is split into several files`,
      `Run this command, then the same one again:\n  npm install --no-save ${name}@${packageJson.peerDependencies[name]}`,
      cause,
    );
  });
  // Only the document of this project has selectors and limits, which its bundle expands.
  if (!("x-operation-selectors" in value)) return mergeFiles(file, { allowRemote, conflicts: "off", read });
  const { bundle } = await import("../bundle/bundle.ts");
  return { document: (await bundle(file, read)) as unknown as Node, files: [] };
}

/** What to do about a file of a split document: bundling has another hint. */
function notMerged(error: unknown): never {
  const isOfFile = error instanceof UserError && error.exitCode !== 2;
  throw isOfFile ? usageError(error.message, fixHint, error) : error;
}

const tooDeep = (file: string): UserError =>
  usageError(`${shownFile(file)} has more than ${deepest} levels`, "Name an OpenAPI document.");

async function readDocument(file: string, read = readText): Promise<Node> {
  let value: unknown;
  try {
    const text = await read(file);
    value = file.endsWith(".json") ? JSON.parse(text) : parse(text, { merge: true });
  } catch (cause) {
    if (/call stack/.test(String(cause))) throw tooDeep(file);
    const message = `cannot read ${shownFile(file)}: ${firstLine(cause)}`;
    throw usageError(message, "Name a valid JSON or YAML file.", cause);
  }
  if (isTooDeep(value)) throw tooDeep(file);
  if (isNode(value) && typeof value.openapi === "string") return value;
  const hint = "Name a document in JSON or YAML: a bundle, or the root file of a split document.";
  throw usageError(`${shownFile(file)} is not an OpenAPI document`, hint);
}

/** A file as messages name it: relative to a folder if it lies in it, else to the current one. */
const shownFile = (file: string, from: string = here): string => displayPath(displayPath(file, from));

/**
 * Opens a document at a git revision. As in git, the path is relative to the top of the repository, or to the current folder if
 * it starts with `./`; without a revision, the staged file is meant.
 */
async function openRevision(name: string, options: OpenOptions): Promise<Input> {
  // A colon within braces is part of the revision: HEAD@{2026-11-26 10:00}.
  const [, revision = "", given] = /^((?:[^:{]|\{[^}]*\})*)(?::(.*))?$/s.exec(name) ?? [];
  const cwd = given === undefined ? here : process.cwd();
  const git = gitIn(cwd);
  const commit = revision === "" && given !== undefined ? "" : await commitOf(revision, git);
  const isRelative = given === undefined || /^\.\.?\//.test(given);
  const prefix = isRelative ? (await git("rev-parse", "--show-prefix")).trim() : "";
  const path = posix.join(prefix, given ?? "openapi/openapi.yaml");
  // The files of the revision have names in a folder that does not exist.
  const folder = resolve(sep, commit || "index");
  const blobs = blobsOf(commit, cwd);
  const read = async (file: string): Promise<string> => {
    const place = relative(folder, file).replaceAll("\\", "/");
    const blob = await blobs(place);
    if (blob === undefined) throw new Error(`there is no file ${revision}:${place}`);
    return decodeText(blob);
  };
  await read(join(folder, path)).catch((cause: unknown) => {
    const hint = `Name a file of that revision: ${revision}:path/to/openapi.yaml, from the top of the repository.`;
    throw usageError(`${revision || "the index"} has no file ${path}`, hint, cause);
  });
  try {
    return await openFile(join(folder, path), name, { ...options, from: folder, read });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw usageError(error.message.replaceAll(`${folder}${sep}`, `${revision}:`), error.hint, error);
  }
}

const execute = promisify(execFile);
const maxBuffer = 2 ** 29;

/** Reads files of a commit. One process reads all that are wanted at the same time: to start one takes longer than to read. */
function blobsOf(commit: string, cwd: string): (place: string) => Promise<Buffer | undefined> {
  const known = new Map<string, Buffer>();
  let wanted = new Set<string>();
  let reading: Promise<void> | undefined;
  const readWanted = async (): Promise<void> => {
    await setImmediate();
    const places = [...wanted];
    [wanted, reading] = [new Set(), undefined];
    const running = execute("git", ["cat-file", "--batch"], { cwd, maxBuffer, encoding: "buffer" });
    running.child.stdin?.end(places.map((place) => `${commit}:${place}\n`).join(""));
    const { stdout } = await running;
    let start = 0;
    for (const place of places) {
      const end = stdout.indexOf("\n", start);
      // Without a type and a size, there is no such file.
      const [, type, size] = / (\w+) (\d+)$/.exec(stdout.toString("utf8", start, end)) ?? [];
      if (type === "blob") known.set(place, stdout.subarray(end + 1, end + 1 + Number(size)));
      start = size === undefined ? end + 1 : end + Number(size) + 2;
    }
  };
  return async (place) => {
    // A line names one file, which is in the repository.
    if (/\n|^\.\.\//.test(place)) return undefined;
    if (!known.has(place)) {
      wanted.add(place);
      reading ??= readWanted();
      await reading;
    }
    return known.get(place);
  };
}

export type Git = (...args: string[]) => Promise<string>;

export const gitIn =
  (cwd: string): Git =>
  async (...args) =>
    (await execute("git", args, { cwd, maxBuffer })).stdout;

async function commitOf(revision: string, git: Git): Promise<string> {
  try {
    // A name that starts with a dash is not an option.
    const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
    return (await git(...args)).trim();
  } catch (cause) {
    throw usageError(
      `${revision} is not a file, a release or a git revision`,
      "Name a file, a release, a commit, a branch or a tag; default: the latest release.",
      cause,
    );
  }
}

/** The top of the repository of a folder, which annotations of GitHub name files from. @param otherwise if it is in none */
export const repositoryRoot = (folder = process.cwd(), otherwise = here): Promise<string> =>
  gitIn(folder)("rev-parse", "--show-toplevel").then(
    (text) => text.trim(),
    () => otherwise,
  );

/** The folder of the frozen releases, absolute. */
const releasesFolder = join(openapiFolder, "releases");

/** The file of a release, whether it exists or not. */
const releaseFile = (version: string, folder: string = releasesFolder): string =>
  join(folder, `${version}.json`);

/** Whether a text is a version, such as `1.2.3`. */
export const isVersion = (text: string): boolean => /^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(text);

export const { compare: compareVersions } = new Intl.Collator("en", { numeric: true });

/** The versions that are frozen, the oldest first. */
export async function frozenVersions(folder: string = releasesFolder): Promise<string[]> {
  return (existsSync(folder) ? await readdir(folder) : [])
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length))
    .filter(isVersion)
    .toSorted(compareVersions);
}

/** The bundle of a release. Throws a UserError with exit code 2 if it is not frozen. */
export const frozenRelease = (version: string, folder?: string): Promise<Node> =>
  readDocument(releaseFile(version, folder));
