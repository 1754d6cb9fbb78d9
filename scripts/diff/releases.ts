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

/** Major, minor and patch. */
export type Version = readonly [number, number, number];

/** Parses `1.2.3`; undefined if the text is not a version. */
export function parseVersion(text: string): Version | undefined {
  const match = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(text);
  return match === null ? undefined : [Number(match[1]), Number(match[2]), Number(match[3])];
}

/** Compares two versions, for sorting. */
export const compareVersions = (one: Version, other: Version): number =>
  one[0] - other[0] || one[1] - other[1] || one[2] - other[2];

/** The versions that are frozen, the oldest first. */
export async function frozenVersions(folder: string = releasesFolder): Promise<string[]> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  return names
    .filter((name) => name.endsWith(".json"))
    .map((name) => parseVersion(name.slice(0, -".json".length)))
    .filter((version) => version !== undefined)
    .toSorted(compareVersions)
    .map((version) => version.join("."));
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
