import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { UserError } from "../../lib/user-error.ts";
import { locator } from "../document/locate.ts";
import { generatedFolder, rootDocument } from "../paths.ts";
import { frozenVersions } from "../release/releases.ts";
import { documentSide, here, isPackaged, type Side } from "./document-side.ts";
import { readSplit } from "./read-split.ts";
import { releaseSide } from "./release-side.ts";

const git = promisify(execFile);

/** The document of the working tree, bundled; in an installed package the contract that it came with. */
export async function workingTree(): Promise<Side> {
  if (isPackaged) {
    const file = join(generatedFolder, "openapi.json");
    return { ...(await documentSide(file)), label: "this contract" };
  }
  const document = await readSplit(rootDocument);
  return { label: "the working tree", document, locate: locator().locate, close: async () => {} };
}

/**
 * What the name of one side means: a file that there is, a release, else a git revision or a tag, or a file at one.
 *
 * @throws Failure with exit status 2 when it is none of these, or no OpenAPI document
 */
export async function sideOf(name: string): Promise<Side> {
  try {
    if (existsSync(name)) return { ...(await documentSide(resolve(name))), label: name };
    if ((await frozenVersions()).includes(name)) return await releaseSide(name);
    return await revisionSide(name);
  } catch (error) {
    // Whatever is wrong with a document, without it nothing can be compared.
    if (!(error instanceof UserError)) throw error;
    const hint = error.hint === undefined ? {} : { hint: error.hint };
    throw new UserError(error.message, { ...hint, exitCode: 2 });
  }
}

/**
 * The document at a revision: its sources out of git, in a folder of their own, so that no file here is touched.
 *
 * @param name `v1.0.0`, or `v1.0.0:api/openapi.yaml` where it is not `openapi/openapi.yaml`
 */
async function revisionSide(name: string): Promise<Side> {
  const [revision = "", path = "openapi/openapi.yaml"] = name.split(/:(.*)/s);
  const commit = await commitOf(revision);
  const folder = await realpath(await mkdtemp(join(tmpdir(), "email-api-revision-")));
  const close = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const archive = join(folder, "sources.tar");
    await git("git", ["archive", "--output", archive, commit, dirname(path)], { cwd: here }).catch(
      (cause) => {
        throw new UserError(`there is no ${dirname(path)}/ at ${revision}`, {
          hint: `Name the document at the revision: ${revision}:path/to/openapi.yaml`,
          exitCode: 2,
          cause,
        });
      },
    );
    await git("tar", ["-xf", archive, "-C", folder]);
    const { document, locate } = await documentSide(join(folder, path));
    return {
      label: name,
      document,
      async locate(pointer) {
        const place = await locate(pointer);
        return { ...place, file: relative(folder, place.file).replaceAll("\\", "/") };
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
      cwd: here,
    });
    return stdout.trim();
  } catch (cause) {
    throw new UserError(`${revision} is neither a file nor a git revision`, {
      hint: "Name a file, a release, a commit, a branch or a tag; without a name the last release is taken.",
      exitCode: 2,
      cause,
    });
  }
}
