import { type Change, child, type Effect, namesOf, same } from "./change.ts";
import { effectOf, reportEffect, type SchemaPair } from "./schema-pair.ts";

/** The keywords with a schema that values must, or must not, match as a whole. */
export const constraintKeys = [
  "not",
  "if",
  "then",
  "else",
  "propertyNames",
  "contains",
  "dependentRequired",
  "dependentSchemas",
  "prefixItems",
];

/** Compares conditions, exclusions, names of properties and dependencies. */
export function compareConstraints(pair: SchemaPair): void {
  const { before, after } = pair;
  for (const key of ["not", "propertyNames", "contains"]) compareConstraint(pair, key);
  if ("if" in before === "if" in after) {
    if (!same(before.if, after.if)) compareAsOne(pair, "if");
    for (const key of ["then", "else"]) compareConstraint(pair, key);
  } else reportEffect(pair, "constraint", effectOf(pair, "if"), "if");
  compareDependencies(child(pair, "dependentRequired"), false);
  compareDependencies(child(pair, "dependentSchemas"), true);
  if (!same(before.prefixItems, after.prefixItems))
    reportEffect(pair, "constraint", "changed", "prefixItems");
}

const opposite: Record<Effect, Effect> = { narrowed: "widened", widened: "narrowed", changed: "changed" };

/** Compares the schema of a keyword. A change inside narrows or widens the constraint; inside `not` it is reversed. */
function compareConstraint(pair: SchemaPair, key: string): void {
  const { context, before, after, direction } = pair;
  if (same(before[key], after[key])) return;
  const effect = effectOf(pair, key);
  if (effect !== "changed") {
    reportEffect(pair, "constraint", effect, key);
    return;
  }
  const report = (change: Change): void => {
    if (change.effect === undefined) {
      context.report(change);
      return;
    }
    const inside = key === "not" ? opposite[change.effect] : change.effect;
    context.report({ ...change, effect: inside, kind: `${direction}-constraint-${inside}` });
  };
  pair.compareInside({ ...pair, context: { ...context, report } }, [before[key], after[key]], [key]);
}

function compareDependencies(pair: SchemaPair, isSchema: boolean): void {
  for (const name of namesOf(pair.before, pair.after)) {
    if (same(pair.before[name], pair.after[name])) continue;
    const effect = effectOf(pair, name);
    if (isSchema && effect === "changed") compareAsOne(pair, name);
    else reportEffect(pair, "constraint", effect, name);
  }
}

/** Compares a schema whose effect depends on others, as that of a condition does: any change of it changes the constraint. */
function compareAsOne(pair: SchemaPair, key: string): void {
  const { context, before, after } = pair;
  const changes: Change[] = [];
  const inner = { ...context, report: (change: Change) => changes.push(change) };
  pair.compareInside({ ...pair, context: inner }, [before[key], after[key]], [key]);
  if (changes.some(({ effect }) => effect !== undefined)) reportEffect(pair, "constraint", "changed", key);
  for (const change of changes) if (change.effect === undefined) context.report(change);
}
