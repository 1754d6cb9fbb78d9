import type { Verdict } from "../../../scripts/diff/policy.ts";
import type { Node } from "../../../scripts/document/values.ts";

/** One labelled change of the contract. */
export interface LabelledChange {
  /** What changes, in a few words; no two changes have the same. */
  title: string;
  /** What the older document has to have for it, and this contract has not. */
  given?: (bundle: Editable) => void;
  /** Makes the change, on a bundle of its own. */
  edit: (bundle: Editable) => unknown;
  verdict: Verdict;
  /** The promise that the verdict follows from. */
  requirement: string;
}

/** A bundle that may be edited: any value at any name. */
// biome-ignore lint/suspicious/noExplicitAny: an edit reaches into a document whose shape it knows
export type Editable = any;

/** The promises that verdicts follow from, by what they are about. */
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

type Edit = LabelledChange["edit"];

/** Puts something into the older document of a change that has to be there for it. */
export const given =
  (before: (bundle: Editable) => void) =>
  (change: LabelledChange): LabelledChange => ({ ...change, given: before });

const labelled =
  (verdict: Verdict) =>
  (requirement: string, title: string, edit: Edit): LabelledChange => ({ title, edit, verdict, requirement });

export const allowed = labelled("allowed");
export const breaking = labelled("breaking");
export const editorial = (title: string, edit: Edit): LabelledChange => ({
  title,
  edit,
  verdict: "editorial",
  requirement: follows.changelog,
});

/** The older and the newer document of a change of this bundle, which stays as it is. */
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

const address = {
  sendEmail: ["/api/v1/emails", "post"],
  sendBatch: ["/api/v1/emails/batch", "post"],
  getEmail: ["/api/v1/emails/{id}", "get"],
  rescheduleEmail: ["/api/v1/emails/{id}", "patch"],
  cancelEmail: ["/api/v1/emails/{id}", "delete"],
  listNewsletterLists: ["/api/v1/newsletter/lists", "get"],
  upsertContact: ["/api/v1/newsletter/contacts", "post"],
  getContact: ["/api/v1/newsletter/contacts/{email}", "get"],
  unsubscribeContact: ["/api/v1/newsletter/contacts/{email}/unsubscribe", "post"],
  getMe: ["/api/v1/me", "get"],
} as const;

/** An operation of the bundle. */
export const operation = (bundle: Editable, id: keyof typeof address): Editable => {
  const [path, method] = address[id];
  return bundle.paths[path][method];
};

/** A schema of the bundle, by name. */
export const schema = (bundle: Editable, name: string): Editable => bundle.components.schemas[name];

/** Takes an entry out of a list. */
export const drop = (list: unknown[], entry: unknown): void => {
  list.splice(list.indexOf(entry), 1);
};

/** The row of a table that has this id. */
export const row = (rows: Editable[], id: string): Editable => rows.find((one) => one.id === id);
