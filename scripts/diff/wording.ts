import type { Node, Path } from "../document/values.ts";
import { namesOf, same, type Walk } from "./found.ts";

const kinds: Record<string, string> = {
  title: "wording-changed",
  summary: "wording-changed",
  description: "wording-changed",
  $comment: "wording-changed",
  externalDocs: "wording-changed",
  contact: "wording-changed",
  license: "wording-changed",
  termsOfService: "wording-changed",
  example: "example-changed",
  examples: "example-changed",
  links: "link-changed",
  "x-encodes": "mark-changed",
  "x-leaves-unspecified": "mark-changed",
  "x-deprecated": "mark-changed",
};

/** Whether a key says something to people only. */
export const isWording = (key: string): boolean => key in kinds;

/**
 * Compares the keys of a node that nothing else compares: wording, examples, marks. A key that is none of these and no
 * extension is something that this tool cannot judge.
 *
 * @param known the keys that are compared elsewhere
 */
export function compareRest(
  walk: Walk,
  before: Node,
  after: Node,
  path: Path,
  known: ReadonlySet<string>,
): void {
  for (const key of namesOf(before, after)) {
    if (known.has(key) || same(before[key], after[key])) continue;
    const kind = kinds[key] ?? (key.startsWith("x-") ? "extension-changed" : "keyword-unknown");
    reportKey(walk, kind, before, after, path, key);
  }
}

/** Reports that one key of a node differs. */
export function reportKey(
  walk: Walk,
  kind: string,
  before: Node,
  after: Node,
  path: Path,
  key: string,
): void {
  const side = key in after ? "new" : "old";
  walk.report({ kind, path: [...path, key], side, name: key, before: before[key], after: after[key] });
}
