import { listOf, type Node, nodeOf, textOf } from "../document/values.ts";
import { namesOf, type Pair, reportKey, same } from "./change.ts";

/** Compares the security requirements of an operation or document: the alternatives, and the abilities of each. */
export function compareSecurity(pair: Pair): void {
  const { context, before, after } = pair;
  if (same(before.security, after.security)) return;
  const old = alternatives(before, context.base);
  const now = alternatives(after, context.revision);
  const name = textOf(after.operationId) || "every operation";
  const [one, ...others] = old;
  const [other, ...more] = now;
  const isOneScheme =
    one !== undefined && other !== undefined && same(Object.keys(one).sort(), Object.keys(other).sort());
  if (same(old, now)) reportKey(pair, "security", "schema-rewritten", { name });
  else if (isOneScheme && others.length + more.length === 0) compareAbilities(pair, one, other);
  else {
    // If every old alternative is still sufficient, every client still has access.
    const isKept = old.every((given) => now.some((required) => isSufficient(given, required)));
    reportKey(pair, "security", isKept ? "authentication-relaxed" : "authentication-changed", { name });
  }
}

const isSufficient = (given: Node, required: Node): boolean =>
  Object.entries(required).every(
    ([scheme, abilities]) =>
      Object.hasOwn(given, scheme) &&
      listOf(abilities).every((ability) => listOf(given[scheme]).includes(ability)),
  );

/** The alternatives; none means that no authentication is needed. */
function alternatives(node: Node, document: Node): Node[] {
  const listed = listOf(node.security ?? document.security).map(nodeOf);
  return listed.length === 0 ? [{}] : listed;
}

function compareAbilities({ context, path }: Pair, before: Node, after: Node): void {
  for (const scheme of namesOf(before, after)) {
    const [old, now] = [listOf(before[scheme]), listOf(after[scheme])];
    if (same(old, now)) continue;
    const isFewer = old.some((ability) => !now.includes(ability));
    const isMore = now.some((ability) => !old.includes(ability));
    context.report({
      kind: isMore ? "ability-raised" : isFewer ? "ability-lowered" : "order-changed",
      path: [...path, "security", 0, scheme],
      document: "revision",
      name: scheme,
      before: old.join(", "),
      after: now.join(", "),
    });
  }
}
