import { valueAt } from "../document/json-pointer.ts";
import { resolveSchema } from "../document/references.ts";
import { type Change, namesOf, type Pair, reportKey, same } from "./change.ts";

/** The kinds of keys that matter to readers only. A map, since documents name keys. */
const kinds = new Map([
  ["title", "wording-changed"],
  ["summary", "wording-changed"],
  ["description", "wording-changed"],
  ["$comment", "wording-changed"],
  ["externalDocs", "wording-changed"],
  ["contact", "wording-changed"],
  ["license", "wording-changed"],
  ["termsOfService", "wording-changed"],
  ["example", "example-changed"],
  ["examples", "example-changed"],
  ["x-example-time", "example-changed"],
  ["links", "link-changed"],
  ["x-encodes", "annotation-changed"],
  ["x-leaves-unspecified", "annotation-changed"],
  ["x-deprecated", "annotation-changed"],
]);

/** Whether a key matters to readers only. */
export const isEditorial = (key: string): boolean => kinds.has(key);

/**
 * Compares the keys that no other comparison covers: texts, examples, annotations and extensions.
 *
 * @param known the keys that are compared elsewhere
 * @param fallback the kind of any other key; default: `extension-changed` or `unknown-keyword`
 */
export function compareRest(pair: Pair, known: readonly string[], fallback?: string): void {
  for (const key of namesOf(pair.before, pair.after)) {
    if (known.includes(key) || same(valueAt(pair.before, [key]), valueAt(pair.after, [key]))) continue;
    reportKey(
      pair,
      key,
      kinds.get(key) ?? fallback ?? (key.startsWith("x-") ? "extension-changed" : "unknown-keyword"),
    );
  }
}

/** Compares two nodes that may be `$ref`s. Two `$ref`s to the same component are equal: components are compared by themselves. */
export function compareReferenced<Given extends Pair>(pair: Given, compare: (pair: Given) => void): void {
  const { before, after } = pair;
  if (before.$ref !== after.$ref) compareTargets(pair, compare);
  else if (before.$ref === undefined) compare(pair);
  else compareRest(pair, ["$ref"]);
}

/** Compares what two different `$ref`s, or a `$ref` and a node, resolve to. */
export function compareTargets<Given extends Pair>(pair: Given, compare: (pair: Given) => void): void {
  const { context, before, after, path } = pair;
  let isReported = false;
  const report = (change: Change): void => {
    isReported = true;
    context.report(change);
  };
  compare({
    ...pair,
    context: { ...context, report },
    before: resolveSchema(context.base, before),
    after: resolveSchema(context.revision, after),
  });
  if (isReported) return;
  const name = String(path.at(-1));
  context.report({ kind: "reference-changed", path, document: "revision", name });
}
