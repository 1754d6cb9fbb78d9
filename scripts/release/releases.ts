import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "../../lib/user-error.ts";
import type { Node } from "../document/values.ts";
import { openapiFolder } from "../paths.ts";

/** The folder of the frozen releases, absolute. */
export const releasesFolder = join(openapiFolder, "releases");

/** A version as three numbers. */
export type Version = readonly [number, number, number];

/** Reads `1.2.3`. Undefined where the text is no version. */
export function versionOf(text: string): Version | undefined {
  const match = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(text);
  return match === null ? undefined : [Number(match[1]), Number(match[2]), Number(match[3])];
}

/** Which of two versions is the older one, as for sorting. */
export const byVersion = (one: Version, other: Version): number =>
  one[0] - other[0] || one[1] - other[1] || one[2] - other[2];

/** The versions that are frozen, the oldest first. */
export async function frozenVersions(folder: string = releasesFolder): Promise<string[]> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  return names
    .filter((name) => name.endsWith(".json"))
    .map((name) => ({ name: name.slice(0, -5), version: versionOf(name.slice(0, -5)) }))
    .filter((one): one is { name: string; version: Version } => one.version !== undefined)
    .toSorted((one, other) => byVersion(one.version, other.version))
    .map(({ name }) => name);
}

/**
 * The bundle of a release.
 * @throws Failure with exit status 2 when it is not frozen
 */
export async function frozenRelease(version: string, folder: string = releasesFolder): Promise<Node> {
  const file = join(folder, `${version}.json`);
  try {
    return JSON.parse(await readFile(file, "utf8")) as Node;
  } catch (cause) {
    throw new UserError(`there is no release ${version} in openapi/releases/`, {
      hint: `There are: ${(await frozenVersions(folder)).join(", ") || "none"}.`,
      exitCode: 2,
      cause,
    });
  }
}

/** The last release, undefined where there is none. */
export async function lastRelease(folder: string = releasesFolder): Promise<string | undefined> {
  return (await frozenVersions(folder)).at(-1);
}

/** The text of a frozen release. */
export const frozenText = (document: unknown): string => `${JSON.stringify(document, null, 2)}\n`;
