import { diff } from "../../../scripts/diff/documents.ts";
import { frozenRelease, frozenVersions } from "../../../scripts/diff/releases.ts";
import { readBundle } from "../../../scripts/document/read-bundle.ts";

const release = await frozenRelease((await frozenVersions()).at(-1) ?? "");

const differences = (document: object): string[] =>
  diff(release, { ...document }).differences.map(({ kind, pointer, message }) =>
    [kind, pointer, message].join(" "),
  );

const known = new Set(differences(await readBundle()));

/**
 * Whether a copy of the document differs from the latest release where the document does not. The release is the second
 * reading of every number and name: it reveals a changed one in a document that is still valid.
 */
export const differsFromRelease = (copy: object): boolean =>
  differences(copy).length !== known.size || differences(copy).some((one) => !known.has(one));
