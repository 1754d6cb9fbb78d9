import { listOf, type Node, nodeOf, type Path, textOf } from "../document/values.ts";
import { namesOf, same, type Walk } from "./found.ts";

/** Compares what a caller has to show: the ways in, any of which is enough, and the abilities each one asks for. */
export function compareSecurity(walk: Walk, before: Node, after: Node, path: Path): void {
  if (same(before.security, after.security)) return;
  const old = waysOf(before, walk.before);
  const young = waysOf(after, walk.after);
  const name = textOf(after.operationId) || "every operation";
  const [one, other] = [old[0], young[0]];
  const report = (kind: string): void =>
    walk.report({
      kind,
      path,
      side: "security" in after ? "new" : "old",
      name,
      before: before.security,
      after: after.security,
    });
  if (same(old, young)) {
    report("schema-rewritten");
    return;
  }
  if (old.length === 1 && young.length === 1 && one !== undefined && other !== undefined) {
    if (same(Object.keys(one).sort(), Object.keys(other).sort())) {
      compareAbilities(walk, one, other, path);
      return;
    }
  }
  // A way in that is kept as it was lets every caller in who came by it.
  const isKept = old.every((way) => young.some((there) => isMet(there, way)));
  report(isKept ? "authentication-eased" : "authentication-changed");
}

/** Whether whoever comes with `shown` gets in where `asked` is asked for. */
const isMet = (asked: Node, shown: Node): boolean =>
  Object.entries(asked).every(
    ([scheme, abilities]) =>
      scheme in shown && listOf(abilities).every((ability) => listOf(shown[scheme]).includes(ability)),
  );

/** The ways in; none at all means that everyone may call. */
function waysOf(node: Node, document: Node): Node[] {
  const ways = listOf(node.security ?? document.security).map(nodeOf);
  return ways.length === 0 ? [{}] : ways;
}

function compareAbilities(walk: Walk, before: Node, after: Node, path: Path): void {
  for (const scheme of namesOf(before, after)) {
    const [old, young] = [listOf(before[scheme]), listOf(after[scheme])];
    if (same(old, young)) continue;
    const isMore = young.some((ability) => !old.includes(ability));
    const kind = isMore
      ? "ability-raised"
      : old.some((one) => !young.includes(one))
        ? "ability-lowered"
        : "order-changed";
    const name = scheme;
    walk.report({
      kind,
      path: [...path, 0, scheme],
      side: "new",
      name,
      before: old.join(", "),
      after: young.join(", "),
    });
  }
}
