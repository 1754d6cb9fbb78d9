import { type Comparison, comparisonOf } from "./diff/difference.ts";
import { judged } from "./diff/judge.ts";
import { ownPolicy, type Policy } from "./diff/policy.ts";
import { findDifferences } from "./diff/root.ts";
import type { Node } from "./document/values.ts";

/**
 * Compares two bundles and judges every difference by the policy: allowed within the version, breaking, or editorial.
 * Each difference is told once, at the place where it stands.
 *
 * @param before the older bundle, plain data
 * @param after the newer bundle
 * @throws Failure with exit status 2 when oasdiff cannot read one of them
 */
export async function diff(before: Node, after: Node, policy?: Policy): Promise<Comparison> {
  const found = findDifferences(before, after);
  if (found.length === 0) return comparisonOf([]);
  // What only a difference needs is loaded when there is one.
  const { oasdiffChanges } = await import("./diff/oasdiff.ts");
  const changes = await oasdiffChanges(before, after);
  return comparisonOf(judged(found, changes, { before, after, policy: policy ?? ownPolicy() }));
}
