import { diff } from "../../../scripts/diff/documents.ts";
import { frozenRelease, frozenVersions } from "../../../scripts/diff/inputs.ts";
import { readBundle } from "../../../scripts/document/read-bundle.ts";
import type { Edit } from "../../document-edits.ts";
import { errors } from "../mutations/errors.ts";
import { examples } from "../mutations/examples.ts";
import { headers } from "../mutations/headers.ts";
import { limits } from "../mutations/limits.ts";
import { operations } from "../mutations/operations.ts";
import { schemas } from "../mutations/schemas.ts";
import { tables } from "../mutations/tables.ts";
import { unspecified } from "../mutations/unspecified.ts";

/** The defects of one topic: by the rule that must find them (or `release`: only the comparison with the latest release), the edit that makes each. */
export type Defects = Record<string, Record<string, Edit>>;

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

/** Every defect of the bundle: its topic, what is wrong, what must find it. */
export const defects = Object.entries(topics).flatMap(([topic, byRule]) =>
  Object.entries(byRule).flatMap(([by, list]) =>
    Object.entries(list).map(([name, edit]) => ({ topic, name, by, edit })),
  ),
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
