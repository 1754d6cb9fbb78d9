import { diff } from "../../../scripts/diff/documents.ts";
import { frozenRelease, frozenVersions } from "../../../scripts/diff/releases.ts";
import { readBundle } from "../../../scripts/document/read-bundle.ts";
import { errors } from "../mutations/errors.ts";
import { examples } from "../mutations/examples.ts";
import { headers } from "../mutations/headers.ts";
import { limits } from "../mutations/limits.ts";
import { operations } from "../mutations/operations.ts";
import { schemas } from "../mutations/schemas.ts";
import { tables } from "../mutations/tables.ts";
import { unspecified } from "../mutations/unspecified.ts";
import type { Defect, Defects } from "./edit.ts";

const topics: Record<string, Defects> = {
  operations,
  headers,
  errors,
  schemas,
  limits,
  examples,
  unspecified,
  tables,
};

/** Every defect of the bundle, with its topic and what is wrong. */
export const defects: (Defect & { topic: string; name: string })[] = Object.entries(topics).flatMap(
  ([topic, list]) => Object.entries(list).map(([name, defect]) => ({ topic, name, ...defect })),
);

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
