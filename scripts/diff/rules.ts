import { nodeOf, type Path } from "../document/values.ts";
import { type Effect, type Found, same, type Walk } from "./found.ts";
import { compareSchema, kindOf, type SchemaPlace } from "./schema.ts";

/** The keywords that hold a schema which the value has to meet, or must not. */
export const ruleKeys = [
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

/** Compares the rules of two schemas: conditions, exclusions, names of fields, dependencies. */
export function compareRules(place: SchemaPlace): void {
  compareRule(place, "not", "not" in place.before && "not" in place.after);
  for (const key of ["propertyNames", "contains"]) compareRule(place, key, false);
  compareCondition(place);
  compareDependencies(place);
  const { walk, before, after, path, use } = place;
  if (!same(before.prefixItems, after.prefixItems)) {
    const side = "prefixItems" in after ? "new" : "old";
    const kind = kindOf(use, "rule", "other");
    walk.report({ kind, path: [...path, "prefixItems"], side, name: "prefixItems", effect: "other" });
  }
}

/** A schema under a keyword: it is a rule that came, went, or changed inside. */
function compareRule(place: SchemaPlace, key: string, isExclusion: boolean): void {
  const { walk, before, after, path, use } = place;
  if (same(before[key], after[key])) return;
  const where = [...path, key];
  if (key in before && key in after) {
    compareSchema(asRules(place, isExclusion), before[key], after[key], where, use);
    return;
  }
  const effect = key in after ? "narrower" : "wider";
  const side = key in after ? "new" : "old";
  walk.report({ kind: kindOf(use, "rule", effect), path: where, side, name: key, effect });
}

/** Condition and consequences belong together: a new condition may concern other values than the old one. */
function compareCondition(place: SchemaPlace): void {
  const { before, after } = place;
  if ("if" in before && "if" in after && !same(before.if, after.if)) {
    compareAsOne(place, ["if"], before.if, after.if);
  } else if ("if" in before !== "if" in after) {
    reportRule(place, ["if"], "if" in after ? "narrower" : "wider");
    return;
  }
  for (const key of ["then", "else"]) compareRule(place, key, false);
}

function compareDependencies(place: SchemaPlace): void {
  for (const key of ["dependentRequired", "dependentSchemas"]) {
    const [old, young] = [nodeOf(place.before[key]), nodeOf(place.after[key])];
    for (const name of new Set([...Object.keys(old), ...Object.keys(young)])) {
      if (same(old[name], young[name])) continue;
      if (key === "dependentSchemas" && name in old && name in young)
        compareAsOne(place, [key, name], old[name], young[name]);
      else {
        const effect: Effect = !(name in old) ? "narrower" : !(name in young) ? "wider" : "other";
        reportRule(place, [key, name], effect);
      }
    }
  }
}

/** Two schemas of which each part decides with the others: they are another rule as soon as one part is another. */
function compareAsOne(place: SchemaPlace, steps: string[], one: unknown, other: unknown): void {
  const { walk, path, use } = place;
  const inside: Found[] = [];
  compareSchema({ ...walk, report: (found) => inside.push(found) }, one, other, [...path, ...steps], use);
  if (inside.some(({ effect }) => effect !== undefined)) reportRule(place, steps, "other");
  // What allows no more and no less is told for what it is: words, examples, marks.
  for (const found of inside.filter(({ effect }) => effect === undefined)) walk.report(found);
}

function reportRule({ walk, after, path, use }: SchemaPlace, steps: string[], effect: Effect): void {
  const [first = "", second] = steps;
  const isThere = first in after && (second === undefined || second in nodeOf(after[first]));
  const where: Path = [...path, ...steps];
  const name = second ?? first;
  walk.report({
    kind: kindOf(use, "rule", effect),
    path: where,
    side: isThere ? "new" : "old",
    name,
    effect,
  });
}

const opposite: Record<Effect, Effect> = { narrower: "wider", wider: "narrower", other: "other" };

/** Whatever differs inside a rule makes the rule narrower or wider; inside an exclusion it is the other way round. */
function asRules({ walk, use }: SchemaPlace, isExclusion: boolean): Walk {
  const report = (found: Found): void => {
    if (found.effect === undefined) {
      walk.report(found);
      return;
    }
    const effect = isExclusion ? opposite[found.effect] : found.effect;
    walk.report({ ...found, effect, kind: kindOf(use, "rule", effect) });
  };
  return { ...walk, report };
}
