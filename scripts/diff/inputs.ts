import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { firstLine } from "../../lib/text.ts";
import { UserError, usageError } from "../../lib/user-error.ts";
import { generatedFolder, root, rootDocument } from "../common/paths.ts";
import { locator, type SourcePlace } from "../document/locate.ts";
import { isNode, type Node } from "../document/values.ts";
import { frozenVersions, releaseFile, releasesFolder } from "./releases.ts";

const execute = promisify(execFile);

/** A document to compare: its bundle, and where its parts are in its sources. */
export interface Input {
  /** How messages name it. */
  label: string;
  document: Node;
  locate(pointer: string): Promise<SourcePlace>;
  /** Removes its temporary files, if it has any. */
  close?(): Promise<void>;
}

/** An installed package has no sources of its document. */
const isPackaged = !existsSync(rootDocument);

/** The folder that names of files are relative to: the project, or the current one for an installed package. */
const here = isPackaged ? process.cwd() : root;

/** The document of the working tree; in an installed package, its contract. */
export const defaultRevision = (): Promise<Input> =>
  isPackaged
    ? openFile(join(generatedFolder, "openapi.json"), "this contract")
    : openFile(rootDocument, "the working tree");

/** The latest release, and the first one of its version if that is another one. */
export async function defaultBases(folder: string = releasesFolder): Promise<Promise<Input>[]> {
  const versions = await frozenVersions(folder);
  const latest = versions.at(-1);
  if (latest === undefined) {
    throw usageError(
      "openapi/releases/ has no release to compare with",
      "Name the base: `email-api-contract diff BASE [REVISION]`.",
    );
  }
  const first = versions.find((version) => version.split(".")[0] === latest.split(".")[0]) ?? latest;
  return [...new Set([latest, first])].map((version) => openFile(releaseFile(version, folder), version));
}

/**
 * Opens what an argument names: a file, else a release, else a git revision (`v1.0.0` or `v1.0.0:api/openapi.yaml`).
 *
 * @throws UserError with exit code 2 if it is none of these or not an OpenAPI document
 */
export async function openInput(name: string): Promise<Input> {
  if (existsSync(name)) return openFile(resolve(name), name);
  if ((await frozenVersions()).includes(name)) return openFile(releaseFile(name), name);
  return openRevision(name);
}

async function openFile(file: string, label: string): Promise<Input> {
  try {
    const document = await readDocument(file);
    const locate = locator(file);
    return {
      label,
      document: isSplit(document) ? await bundleOf(file) : document,
      async locate(pointer) {
        const place = await locate(pointer);
        return { ...place, file: shownFile(resolve(root, place.file)) };
      },
    };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    // Whatever is wrong with a document, it cannot be compared.
    throw usageError(error.message, error.hint, error);
  }
}

const isSplit = (document: Node): boolean => /"\$ref":"[^#"]/.test(JSON.stringify(document));

async function bundleOf(file: string): Promise<Node> {
  if (isPackaged) {
    throw new UserError(`${shownFile(file)} is split into several files`, {
      hint: "Bundle it first, for example with `npx @redocly/cli bundle`, and compare the bundle.",
    });
  }
  const { bundle } = await import("../bundle/bundle.ts");
  return (await bundle(file)) as unknown as Node;
}

async function readDocument(file: string): Promise<Node> {
  let value: unknown;
  try {
    const text = await readFile(file, "utf8");
    value = file.endsWith(".json") ? JSON.parse(text) : parse(text);
  } catch (cause) {
    throw new UserError(`cannot read ${shownFile(file)}: ${firstLine(cause)}`, {
      hint: "Name a valid JSON or YAML file.",
      cause,
    });
  }
  if (isNode(value) && typeof value.openapi === "string") return value;
  throw new UserError(`${shownFile(file)} is not an OpenAPI document`, {
    hint: "Name a document in JSON or YAML: a bundle, or the root file of a split document.",
  });
}

function shownFile(file: string): string {
  const path = relative(here, file);
  return path.startsWith("..") || isAbsolute(path) ? file : path.replaceAll("\\", "/");
}

/** Extracts the folder of a document at a git revision into a temporary folder, so that no file here changes. */
async function openRevision(name: string): Promise<Input> {
  const [revision = "", path = "openapi/openapi.yaml"] = name.split(/:(.*)/s);
  const commit = await commitOf(revision);
  const folder = await realpath(await mkdtemp(join(tmpdir(), "email-api-revision-")));
  const close = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const archive = join(folder, "sources.tar");
    const args = ["archive", "--output", archive, commit, dirname(path)];
    await execute("git", args, { cwd: here }).catch((cause: unknown) => {
      throw usageError(
        `${revision} has no folder ${dirname(path)}/`,
        `Name the document in the revision: ${revision}:path/to/openapi.yaml.`,
        cause,
      );
    });
    await execute("tar", ["-xf", archive, "-C", folder]);
    const input = await openFile(join(folder, path), name);
    const locate: Input["locate"] = async (pointer) => {
      const place = await input.locate(pointer);
      return { ...place, file: relative(folder, resolve(root, place.file)) };
    };
    return { ...input, locate, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function commitOf(revision: string): Promise<string> {
  try {
    // A name that starts with a dash is not an option.
    const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
    const { stdout } = await execute("git", args, { cwd: here });
    return stdout.trim();
  } catch (cause) {
    throw usageError(
      `${revision} is not a file, a release or a git revision`,
      "Name a file, a release, a commit, a branch or a tag; default: the latest release.",
      cause,
    );
  }
}
