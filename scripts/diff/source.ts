import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { isNode, type Node } from "../../openapi/lint/document/values.ts";
import { Failure } from "../failure.ts";
import { locator, type SourcePlace } from "../locate.ts";
import { root, rootDocument } from "../paths.ts";
import { shown } from "../shown.ts";
import { jsonPlaces } from "./json-places.ts";
import { readSplit } from "./read-split.ts";

/** One side of a comparison: its bundle, and where its places stand in its sources. */
export interface Side {
  /** What messages call it. */
  label: string;
  document: Node;
  locate(pointer: string): Promise<SourcePlace>;
  close(): Promise<void>;
}

const git = promisify(execFile);
const nothing = async (): Promise<void> => {};

/** The document of the working tree, bundled. */
export async function workingTree(): Promise<Side> {
  const document = await readSplit(rootDocument);
  return { label: "the working tree", document, locate: locator().locate, close: nothing };
}

/**
 * What the name of one side means: a file that there is, else a git revision or a tag.
 *
 * @throws Failure with exit status 2 when it is neither, or no OpenAPI document
 */
export async function sideOf(name: string): Promise<Side> {
  try {
    return existsSync(name) ? await fileSide(resolve(name)) : await revisionSide(name);
  } catch (error) {
    // Whatever is wrong with a document, without it nothing can be compared.
    if (!(error instanceof Failure)) throw error;
    const hint = error.hint === undefined ? {} : { hint: error.hint };
    throw new Failure(error.message, { ...hint, exitStatus: 2 });
  }
}

async function fileSide(file: string): Promise<Side> {
  const document = await readDocument(file);
  const isSplit = JSON.stringify(document).match(/"\$ref":"[^#"]/) !== null;
  const whole = isSplit ? await readSplit(file) : document;
  const { locate } = file.endsWith(".json") && !isSplit ? jsonPlaces(file) : locator(file);
  return { label: shown(file), document: whole, locate, close: nothing };
}

async function readDocument(file: string): Promise<Node> {
  let value: unknown;
  try {
    const text = await readFile(file, "utf8");
    value = file.endsWith(".json") ? JSON.parse(text) : parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : "";
    throw new Failure(`${shown(file)} cannot be read: ${why}`, { exitStatus: 2, cause });
  }
  if (isNode(value) && typeof value.openapi === "string") return value;
  throw new Failure(`${shown(file)} is not an OpenAPI document`, {
    hint: "Name a document in JSON or YAML, bundled or the root file of a split one.",
    exitStatus: 2,
  });
}

/** The document at a revision: its sources out of git, in a folder of their own, so that no file here is touched. */
async function revisionSide(revision: string): Promise<Side> {
  const commit = await commitOf(revision);
  const folder = await realpath(await mkdtemp(join(tmpdir(), "email-api-revision-")));
  const close = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const archive = join(folder, "sources.tar");
    await git("git", ["archive", "--output", archive, commit, "openapi"], { cwd: root }).catch((cause) => {
      throw new Failure(`there is no openapi/ at ${revision}`, { exitStatus: 2, cause });
    });
    await git("tar", ["-xf", archive, "-C", folder]);
    const source = join(folder, relative(root, rootDocument));
    const document = await readSplit(source);
    const { locate } = locator(source);
    return {
      label: revision,
      document,
      async locate(pointer) {
        const place = await locate(pointer);
        return { ...place, file: relative(folder, resolve(root, place.file)).replaceAll("\\", "/") };
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function commitOf(revision: string): Promise<string> {
  try {
    // What begins with a dash would be an option.
    const name = `${revision}^{commit}`;
    const { stdout } = await git("git", ["rev-parse", "--verify", "--quiet", "--end-of-options", name], {
      cwd: root,
    });
    return stdout.trim();
  } catch (cause) {
    throw new Failure(`${revision} is neither a file nor a git revision`, {
      hint: "Name a file, a commit, a branch or a tag; without a name the last release is taken.",
      exitStatus: 2,
      cause,
    });
  }
}
