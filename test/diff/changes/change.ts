import type { Verdict } from "../../../scripts/diff/comparison.ts";
import type { Node } from "../../../scripts/document/values.ts";

/** One labelled change of the contract. */
export interface LabelledChange {
  /** Unique. */
  title: string;
  /** Adds to the base what the change needs and this contract does not have. */
  given?: Edit;
  /** Makes the change in a copy of the bundle. */
  edit: Edit;
  verdict: Verdict;
  /** The requirement that the verdict follows from. */
  requirement: string;
}

/** A bundle that may be edited: any value at any name. */
// biome-ignore lint/suspicious/noExplicitAny: an edit reaches into a document whose shape it knows
export type Editable = any;

/** The requirements that verdicts follow from. */
export const follows = {
  prefix: "VER-1",
  added: "VER-2",
  kept: "VER-3",
  type: "VER-4",
  optional: "VER-5",
  clients: "VER-6",
  lifetime: "VER-7",
  changelog: "VER-8",
} as const;

type Edit = (bundle: Editable) => unknown;

/** Adds something to the base of changes. */
export const given =
  (before: Edit) =>
  (...changes: LabelledChange[][]): LabelledChange[] =>
    changes.flat().map((change) => ({ ...change, given: before }));

/** Changes with a verdict that follows from a requirement, by title. */
const labelled =
  (verdict: Verdict) =>
  (requirement: string, edits: Record<string, Edit>): LabelledChange[] =>
    Object.entries(edits).map(([title, edit]) => ({ title, edit, verdict, requirement }));

export const additive = labelled("additive");
export const breaking = labelled("breaking");
export const editorial = (edits: Record<string, Edit>): LabelledChange[] =>
  labelled("editorial")(follows.changelog, edits);

/** The base and the revision of a change. The bundle is not modified. */
export function documentsOf(bundle: Node, { given: prepare, edit }: LabelledChange): [Node, Node] {
  let before = bundle;
  if (prepare !== undefined) {
    before = structuredClone(bundle);
    prepare(before);
  }
  const after = structuredClone(before);
  edit(after);
  return [before, after];
}

/** A schema of the bundle, by name. */
export const schema = (bundle: Editable, name: string): Editable => bundle.components.schemas[name];

/** Removes an entry from a list. */
export const drop = (list: unknown[], entry: unknown): void => {
  list.splice(list.indexOf(entry), 1);
};

/** The row of a table that has this id. */
export const row = (rows: Editable[], id: string): Editable => rows.find((one) => one.id === id);
