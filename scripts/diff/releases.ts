import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { usageError } from "../../lib/user-error.ts";
import { openapiFolder } from "../common/paths.ts";
import type { Node } from "../document/values.ts";

/** The folder of the frozen releases, absolute. */
export const releasesFolder = join(openapiFolder, "releases");

/** The file of a release, whether it exists or not. */
export const releaseFile = (version: string, folder: string = releasesFolder): string =>
  join(folder, `${version}.json`);

/** Whether a text is a version, such as `1.2.3`. */
export const isVersion = (text: string): boolean => /^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(text);

export const { compare: compareVersions } = new Intl.Collator("en", { numeric: true });

/** The versions that are frozen, the oldest first. */
export async function frozenVersions(folder: string = releasesFolder): Promise<string[]> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  return names
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length))
    .filter(isVersion)
    .toSorted(compareVersions);
}

/** The bundle of a release. Throws a UserError with exit code 2 if it is not frozen. */
export async function frozenRelease(version: string, folder: string = releasesFolder): Promise<Node> {
  try {
    return JSON.parse(await readFile(releaseFile(version, folder), "utf8")) as Node;
  } catch (cause) {
    throw usageError(
      `openapi/releases/ has no release ${version}`,
      `Releases: ${(await frozenVersions(folder)).join(", ") || "none"}.`,
      cause,
    );
  }
}
