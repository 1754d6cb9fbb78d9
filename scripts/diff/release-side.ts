import { UserError } from "../../lib/user-error.ts";
import { frozenRelease, frozenVersions, releasesFolder, versionOf } from "../release/releases.ts";
import type { Side } from "./document-side.ts";

/** The last release, and the first of its version where that is another one. Throws a Failure where there is none. */
export async function comparedReleases(folder: string = releasesFolder): Promise<string[]> {
  const versions = await frozenVersions(folder);
  const last = versions.at(-1);
  if (last === undefined) {
    throw new UserError("there is no release in openapi/releases/ to compare with", {
      hint: "Name the older document: diff OLD [NEW]",
      exitCode: 2,
    });
  }
  const first = versions.find((version) => versionOf(version)?.[0] === versionOf(last)?.[0]) ?? last;
  return [...new Set([last, first])];
}

/** A release as one side of a comparison. Throws a Failure with exit status 2 when it is not frozen. */
export async function releaseSide(version: string, folder: string = releasesFolder): Promise<Side> {
  const document = await frozenRelease(version, folder);
  const file = `openapi/releases/${version}.json`;
  return {
    label: version,
    document,
    locate: async () => ({ file, line: 1, column: 1 }),
    close: async () => {},
  };
}
