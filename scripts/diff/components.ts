import { nodeOf } from "../document/values.ts";
import { compareAnswer, compareHeader } from "./answers.ts";
import { namesOf, same, type Use, type Walk } from "./found.ts";
import { compareParameter } from "./parameters.ts";
import { compareSchema } from "./schema.ts";
import { type Usage, usagesOf } from "./usage.ts";
import { compareRest } from "./wording.ts";

const kinds = [
  "schemas",
  "responses",
  "parameters",
  "headers",
  "examples",
  "securitySchemes",
  "requestBodies",
];

/**
 * Compares the components that both documents have, each once, for whatever it was used for. A component that comes
 * or goes is told by the places that refer to it; one that nothing referred to is a promise by itself.
 */
export function compareComponents(walk: Walk): void {
  const [old, young] = [nodeOf(walk.before.components), nodeOf(walk.after.components)];
  const usages = [usagesOf(walk.before), usagesOf(walk.after)] as const;
  for (const kind of kinds) {
    const [before, after] = [nodeOf(old[kind]), nodeOf(young[kind])];
    for (const name of namesOf(before, after)) {
      if (same(before[name], after[name])) continue;
      const path = ["components", kind, name];
      if (!(name in before)) walk.report({ kind: "component-added", path, side: "new", name });
      else if (!(name in after)) {
        const isUsed = (usages[0].get(`${kind}/${name}`)?.operations.size ?? 0) > 0;
        const isPromise = !isUsed && kind !== "examples";
        walk.report({
          kind: isPromise ? "component-withdrawn" : "component-removed",
          path,
          side: "old",
          name,
        });
      } else compareComponent(walk, [kind, name], before[name], after[name], usages);
    }
  }
  compareRest(walk, old, young, ["components"], new Set(kinds));
}

function compareComponent(
  walk: Walk,
  [kind, name]: [string, string],
  before: unknown,
  after: unknown,
  usages: readonly [Map<string, Usage>, Map<string, Usage>],
): void {
  const path = ["components", kind, name];
  const [one, other] = [nodeOf(before), nodeOf(after)];
  if (kind === "responses") compareAnswer(walk, one, other, path);
  else if (kind === "headers") compareHeader(walk, one, other, path);
  else if (kind === "parameters") compareParameter(walk, one, other, path);
  else if (kind === "examples") walk.report({ kind: "example-changed", path, side: "new", name });
  else if (kind === "securitySchemes") compareScheme(walk, one, other, path);
  else for (const use of usesOf(`${kind}/${name}`, usages)) compareSchema(walk, one, other, path, use);
}

/** What callers rely on is what the older document used it for. */
function usesOf(name: string, [old, young]: readonly [Map<string, Usage>, Map<string, Usage>]): Use[] {
  for (const usages of [old, young]) {
    const uses = usages.get(name)?.uses;
    if (uses !== undefined && uses.size > 0) return [...uses];
  }
  // What no call reaches is told for answers of the calls that this document does not describe.
  return ["answer"];
}

function compareScheme(
  walk: Walk,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  path: string[],
): void {
  const facts = ["type", "scheme", "in", "name", "bearerFormat", "flows", "openIdConnectUrl"];
  for (const key of facts.filter((fact) => !same(before[fact], after[fact]))) {
    const side = key in after ? "new" : "old";
    walk.report({
      kind: "authentication-changed",
      path: [...path, key],
      side,
      name: key,
      before: before[key],
      after: after[key],
    });
  }
  compareRest(walk, before, after, path, new Set(facts));
}
